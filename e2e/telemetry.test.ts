import type { Ask } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { openCollector } from "../packages/cli/src/testing/collector.ts";
import { Api, pending } from "./support/api.ts";
import { connectMcp } from "./support/connect-mcp.ts";
import { startGateway } from "./support/gateway-process.ts";

const SECRET = "cobalt-otter";
const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";
const METRICS = [
  "pending_interactions",
  "oldest_pending",
  "answer",
  "deliveries",
  "stream_clients",
  "event_loop_lag",
  "notifications",
];

type Sent = Awaited<ReturnType<typeof openCollector>>["bodies"][number];

type Span = Readonly<Record<string, unknown>>;

const spansOf = (body: string): Span[] => {
  const { resourceSpans } = JSON.parse(body) as {
    resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
  };
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
};

/** Bodies sent to a path of the collector. */
const sentTo = (bodies: readonly Sent[], path: string): string[] =>
  bodies.flatMap((sent) => (sent.path === path ? [sent.body] : []));

interface Issued {
  readonly token: string;
  readonly sessionId: string;
}

async function issue(person: Api, label: string): Promise<Issued> {
  return (await person.call<Issued>("POST", "/auth/agent-tokens", { label })).body;
}

const MCP_TRACE = TRACE.replaceAll("0", "1");
const traceparent = (trace: string): string => `00-${trace}-${PARENT}-01`;

/** Starts a tool call that asks a question, and waits until people can answer it. */
async function askOverMcp(url: string, { token, sessionId }: Issued, trace: string) {
  const mcp = await connectMcp(`${url}/mcp`, token);
  const call = { name: "ask_user", arguments: { question: SECRET } };
  const result = mcp.client.callTool({ ...call, _meta: { traceparent: traceparent(trace) } });
  // Its gateway is killed during the wait.
  result.catch(() => undefined);
  const { interactionId } = await pending(new Api(url), sessionId);
  return { ...mcp, result, interactionId };
}

test("[R-19] one span covers a request from ask to delivery, through a kill, in the requester's trace, without any of its texts", async () => {
  await using collector = await openCollector();
  const args = ["--otlp", collector.url];
  await using first = await startGateway({ args });
  const { token } = await issue(new Api(first.url), "CI");
  const agent = await issue(new Api(first.url), "Agent");
  const asked = await fetch(`${first.url}/api/asks`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      traceparent: traceparent(TRACE),
    },
    body: JSON.stringify({ kind: "approval", label: SECRET, prompt: `Deploy ${SECRET}?` }),
  });
  const { interactionId } = (await asked.json()) as Ask;
  const before = await askOverMcp(first.url, agent, MCP_TRACE);
  await first.stop("SIGKILL");

  await using second = await startGateway({ args, dataDir: first.dataDir });
  const person = new Api(second.url);
  const answer = await person.respond(interactionId, { action: "deny", reason: SECRET });
  expect(answer.status).toBe(200);
  await new Api(second.url, { token }).call("GET", `/asks/${interactionId}`);
  // The same call is repeated, with another trace: its span keeps the first one.
  await using again = await askOverMcp(second.url, agent, "f".repeat(32));
  expect(again.interactionId).toBe(before.interactionId);
  await person.respond(again.interactionId, { action: "submit", values: { answer: SECRET } });
  await again.result;
  const spans = (): Span[] => sentTo(collector.bodies, "/v1/traces").flatMap(spansOf);
  await expect.poll(() => spans().length).toBe(2);
  await second.stop("SIGTERM");

  const said = JSON.stringify(collector.bodies);
  expect(said).not.toContain(SECRET);
  expect(said).not.toContain("deny");
  const events = [{ name: "asked" }, { name: "answered" }, { name: "delivered" }];
  const place = { parentSpanId: PARENT, events };
  expect(spans()).toEqual([
    expect.objectContaining({ traceId: TRACE, name: "interaction approval" }),
    expect.objectContaining({ traceId: MCP_TRACE, name: "interaction form" }),
  ]);
  expect(spans()).toMatchObject([place, place]);
  // A gateway that shuts down sends its metrics once more.
  const last = sentTo(collector.bodies, "/v1/metrics").at(-1) ?? "";
  for (const name of METRICS) expect(last).toContain(`"holdpoint.${name}"`);
  expect(last).toContain('"stringValue":"answered"');
});

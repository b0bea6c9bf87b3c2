import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Interaction } from "@holdpoint/protocol";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";

import { Api, pending } from "./support/api.ts";
import { connectMcp } from "./support/connect-mcp.ts";
import { startGateway } from "./support/gateway-process.ts";

const VERSION = "2026-07-28";
const LIMIT_MS = 90_000;

interface Issued {
  readonly token: string;
  readonly sessionId: string;
}

async function issue(api: Api, label: string): Promise<Issued> {
  return (await api.call<Issued>("POST", "/auth/agent-tokens", { label })).body;
}

const askAbout = (question: string) => ({ name: "ask_user", arguments: { question } });

/** A client of the SDK of 2026-07-28 that shows pages, and keeps by itself what it is to come back with. */
async function connectPaged(url: string, { token }: Issued) {
  const client = new Client(
    { name: "end-to-end", version: "1.0.0" },
    {
      capabilities: { elicitation: { url: {} } },
      versionNegotiation: { mode: { pin: VERSION } },
      inputRequired: { autoFulfill: false },
    },
  );
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  return {
    call: (params: object): Promise<Record<string, unknown>> =>
      client.callTool(params as Parameters<Client["callTool"]>[0], {
        allowInputRequired: true,
        timeout: LIMIT_MS,
      }),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

async function answer(api: Api, { interactionId }: Interaction, reply: string): Promise<void> {
  const answered = await api.respond(interactionId, {
    action: "submit",
    values: { answer: reply },
  });
  expect(answered.status).toBe(200);
}

test("clients that show a page and clients that wait finish their calls across a gateway that is killed, each once", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "holdpoint-mcp-pages-"));
  const paged = askAbout("Which day, on a page?");
  const early = askAbout("Which hour, before the kill?");
  const waited = askAbout("Which week, for one that waits?");
  const states: unknown[] = [];
  let agents: readonly Issued[] = [];
  let asked: readonly Interaction[] = [];
  {
    await using gateway = await startGateway({ dataDir });
    const api = new Api(gateway.url);
    agents = await Promise.all(["A page", "Another page", "A wait"].map((of) => issue(api, of)));
    for (const [index, params] of [paged, early].entries()) {
      await using client = await connectPaged(gateway.url, agents[index]!);
      const result = await client.call(params);
      expect(result).toMatchObject({ resultType: "input_required" });
      const [open] = await api.interactions(agents[index]!.sessionId, "pending");
      expect(result["inputRequests"]).toMatchObject({
        page: { params: { mode: "url", url: `${gateway.url}/i/${open!.interactionId}` } },
      });
      states.push(result["requestState"]);
    }
    await using waiting = await connectMcp(`${gateway.url}/mcp`, agents[2]!.token);
    waiting.client.callTool(waited).catch(() => undefined);
    asked = await Promise.all(agents.map(({ sessionId }) => pending(api, sessionId)));
    await answer(api, asked[1]!, "at nine");
    gateway.process.kill("SIGKILL");
  }

  await using gateway = await startGateway({ dataDir });
  const api = new Api(gateway.url);
  await using first = await connectPaged(gateway.url, agents[0]!);
  await using second = await connectPaged(gateway.url, agents[1]!);
  await using third = await connectMcp(`${gateway.url}/mcp`, agents[2]!.token);

  const foreign = second.call({ ...paged, requestState: states[0] });
  await expect(foreign).rejects.toMatchObject({ code: -32602 });
  const back = first.call({ ...paged, requestState: states[0] });
  const again = third.client.callTool(waited);
  await answer(api, asked[0]!, "Friday");
  await answer(api, asked[2]!, "the second");
  expect(await back).toMatchObject({ structuredContent: { answer: "Friday" } });
  expect(await again).toMatchObject({ structuredContent: { answer: "the second" } });
  expect(await second.call({ ...early, requestState: states[1] })).toMatchObject({
    structuredContent: { answer: "at nine" },
  });
  await expect(first.call({ ...paged, requestState: states[0] })).rejects.toMatchObject({
    code: -32602,
    data: { reason: "used_request_state" },
  });
  for (const { sessionId } of agents) {
    const events = await api.events(sessionId);
    const of = (type: string) => events.filter((event) => event.type === type);
    expect(of("interaction_request")).toHaveLength(1);
    expect(of("interaction_response")).toHaveLength(1);
  }
  await rm(dataDir, { recursive: true });
});

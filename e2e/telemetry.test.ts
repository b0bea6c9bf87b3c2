import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import type { Ask } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { Api } from "./support/api.ts";
import { startGateway } from "./support/gateway-process.ts";

const SECRET = "cobalt-otter";
const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";

async function openCollector() {
  const bodies: string[] = [];
  const server = createServer((incoming, outgoing) => {
    void text(incoming).then((body) => {
      bodies.push(body);
      outgoing.end("{}");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    bodies,
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function agentToken(dataDir: string): Promise<string> {
  const socket = connect(join(dataDir, "control.sock"));
  socket.end(JSON.stringify({ command: "agent-token", label: "CI" }));
  return (JSON.parse(await text(socket)) as { token: string }).token;
}

test("[R-19] one span from ask to delivered, through a kill, in the trace of who asked, with nothing of what was said", async () => {
  await using collector = await openCollector();
  const args = ["--otlp", collector.url];
  await using first = await startGateway({ args });
  const token = await agentToken(first.dataDir);
  const asked = await fetch(`${first.url}/api/asks`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      traceparent: `00-${TRACE}-${PARENT}-01`,
    },
    body: JSON.stringify({ kind: "approval", label: SECRET, prompt: `Deploy ${SECRET}?` }),
  });
  const { interactionId } = (await asked.json()) as Ask;
  await first.stop("SIGKILL");

  await using second = await startGateway({ args, dataDir: first.dataDir });
  const person = new Api(second.url);
  const answer = await person.respond(interactionId, { action: "deny", reason: SECRET });
  expect(answer.status).toBe(200);
  await new Api(second.url, { token }).call("GET", `/asks/${interactionId}`);
  await expect.poll(() => collector.bodies.length).toBe(1);
  await second.stop("SIGTERM");

  const said = collector.bodies.join("");
  expect(said).not.toContain(SECRET);
  expect(said).not.toContain("deny");
  const { resourceSpans } = JSON.parse(said) as {
    resourceSpans: { scopeSpans: { spans: object[] }[] }[];
  };
  expect(resourceSpans[0]?.scopeSpans[0]?.spans).toMatchObject([
    {
      traceId: TRACE,
      parentSpanId: PARENT,
      name: "interaction approval",
      events: [{ name: "asked" }, { name: "answered" }, { name: "delivered" }],
    },
  ]);
});

// The real engine, store and server, with an agent that follows its messages: `talk COUNT BYTES` sends that many
// texts of that length, and `ask` asks for approval. argv: data folder, bearer token. Prints its URL, and then, for
// each line on stdin, its memory after a garbage collection. Needs --expose-gc.
import { createInterface } from "node:readline";

import { createSystemClock, createSystemIds, openGateway } from "@holdpoint/engine";
import { createScriptedAdapter } from "@holdpoint/engine/testing";
import { createServer } from "@holdpoint/server";
import { openSqliteStore } from "@holdpoint/store-sqlite";

const [dataDir = "", personToken = ""] = process.argv.slice(2);
const MANY = 100_000;
const GC_ROUNDS = 3;
const clock = createSystemClock();
const store = await openSqliteStore({ dataDir });
const agent = createScriptedAdapter(async ({ messageId, content }, context) => {
  const [word, count = 0, bytes = 0] = content.split(" ");
  if (word === "ask") {
    const asked = await context.hold(
      {
        kind: "approval",
        toolCallId: `call-${messageId}`,
        toolName: "Write",
        input: { path: "a.txt" },
        display: {},
        scopes: ["once"],
        scopeText: {},
        editable: false,
      },
      { signal: context.signal },
    );
    if (asked.outcome === "answered") await asked.delivered();
  }
  for (let index = 0; index < Number(count); index += 1) {
    const text = `${index} `.padEnd(Number(bytes), "x");
    await context.emit({
      type: "assistant_message",
      messageId: `${messageId}-${index}`,
      channel: "text",
      text,
    });
  }
  return { reason: "done" };
});
const gateway = await openGateway({
  store,
  credentials: store.credentials,
  clock,
  ids: createSystemIds(),
  agents: new Map([["scripted", agent]]),
  defaultCwd: "/",
});
const server = createServer({
  gateway,
  clock,
  version: "faults",
  personToken,
  streamLimits: { perCredential: MANY, perPerson: MANY },
});
const { url } = await server.listen({ host: "127.0.0.1", port: 0 });
process.stdout.write(`${url}\n`);
createInterface({ input: process.stdin }).on("line", () => {
  agent.forget();
  for (let round = 0; round < GC_ROUNDS; round += 1) globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.stdout.write(`${JSON.stringify({ rss, held: heapUsed + external })}\n`);
});

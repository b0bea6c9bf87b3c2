// The real engine, store and server with an agent that asks for a form when it is told to. argv: data folder, bearer token.
import {
  createSystemClock,
  createSystemIds,
  openGateway,
  type TurnContext,
} from "@holdpoint/engine";
import type { Caller } from "@holdpoint/protocol";
import { createServer } from "@holdpoint/server";
import { openSqliteStore } from "@holdpoint/store-sqlite";

import { askingAdapter, benchLimits } from "../asking-adapter.ts";
import {
  type Asked,
  type MemoryUse,
  type Place,
  serveCalls,
  type ServerRequest,
} from "./protocol.ts";

const [dataDir = "", token = ""] = process.argv.slice(2);
const caller: Caller = { principal: "person", person: "bench", client: "bench" };
const clock = createSystemClock();
const store = await openSqliteStore({ dataDir });
const turn = Promise.withResolvers<TurnContext>();
const gateway = await openGateway({
  store,
  credentials: store.credentials,
  clock,
  ids: createSystemIds(),
  agents: new Map([
    [
      "asking",
      askingAdapter(async (_, context) => {
        turn.resolve(context);
        await new Promise((resolve) => context.signal.addEventListener("abort", resolve));
      }),
    ],
  ]),
  defaultCwd: "/",
  limits: benchLimits,
});
const server = createServer({
  gateway,
  clock,
  version: "bench",
  personToken: token,
  streamLimits: { perPerson: Number.POSITIVE_INFINITY },
});
const { port } = await server.listen({ host: "127.0.0.1", port: 0 });
const { sessionId } = await gateway.createSession(caller, { agent: "asking" });
await gateway.sendMessage(caller, sessionId, { content: "Ask." });
const context = await turn.promise;

async function ask(): Promise<Asked> {
  void holdForm();
  for (;;) {
    const query = { sessionId, status: ["pending" as const], limit: 1 };
    const [interaction] = (await gateway.listInteractions(caller, query)).items;
    if (interaction) return { interactionId: interaction.interactionId };
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function holdForm(): Promise<void> {
  const answer = await context.hold(
    {
      kind: "form",
      toolCallId: "call",
      toolName: "collect_address",
      prompt: "Where should we deliver to?",
      form: {
        schema: {
          type: "object",
          properties: {
            street: { type: "string", title: "Street", minLength: 1 },
            city: { type: "string", title: "City" },
            express: { type: "boolean", title: "By tomorrow" },
          },
          required: ["street"],
        },
      },
    },
    { signal: context.signal },
  );
  if (answer.outcome !== "answered") throw new Error(`not answered: ${answer.outcome}`);
  await answer.delivered();
}

/** Once the room of the garbage was given back as well: what clients left behind while they joined is not theirs. */
async function measureMemory(): Promise<MemoryUse> {
  for (let round = 0; round < 4; round += 1)
    await globalThis.gc?.({ type: "major", execution: "async", flavor: "last-resort" });
  const { rss, heapUsed, external } = process.memoryUsage();
  return { residentBytes: rss, heapBytes: heapUsed + external };
}

serveCalls(({ type }: ServerRequest) => (type === "ask" ? ask() : measureMemory()));
process.send?.({ port, token, sessionId } satisfies Place);

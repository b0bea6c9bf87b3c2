// The real engine, store and server with agents that ask on the bench's demand. argv: data folder, bearer token, and
// optionally the address of a database for the store.
import {
  createSystemClock,
  createSystemIds,
  openGateway,
  type TurnContext,
} from "@holdpoint/engine";
import type { Caller } from "@holdpoint/protocol";
import { createServer } from "@holdpoint/server";
import { openPostgresStore } from "@holdpoint/store-postgres";
import { openSqliteStore } from "@holdpoint/store-sqlite";

import { askingAdapter, BENCH_LIMITS, type RequestKind, toRequest } from "./asking-adapter.ts";
import {
  type GatewayPlace,
  type GatewayRequest,
  type Held,
  measureAgents,
  measureMemory,
  type RunRequest,
  type RunResult,
  type Sessions,
} from "./gateway-protocol.ts";
import { serveCalls } from "./processes.ts";

const startedAt = performance.now();
const [dataDir = "", token = "", url] = process.argv.slice(2);
const caller: Caller = { principal: "person", person: "bench", client: "bench" };
const clock = createSystemClock();
const store = await (url === undefined
  ? openSqliteStore({ dataDir })
  : openPostgresStore({ url, dataDir }));
const starting = new Map<string, (context: TurnContext) => void>();
const gateway = await openGateway({
  store,
  credentials: store.credentials,
  clock,
  ids: createSystemIds(),
  agents: new Map([["asking", askingAdapter(untilStopped)]]),
  defaultCwd: "/",
  limits: BENCH_LIMITS,
});
const server = createServer({
  gateway,
  clock,
  version: "bench",
  personToken: token,
  streamLimits: { perCredential: Infinity, perPerson: Infinity },
});
const { port } = await server.listen({ host: "127.0.0.1", port: 0 });
const turns: { readonly sessionId: string; readonly context: TurnContext }[] = [];

async function untilStopped(sessionId: string, context: TurnContext): Promise<void> {
  starting.get(sessionId)?.(context);
  await new Promise((resolve) => context.signal.addEventListener("abort", resolve));
}

/** Opens a session with a running turn, so that its agent can ask. */
async function openTurn(): Promise<string> {
  const { sessionId } = await gateway.createSession(caller, { agent: "asking" });
  const started = new Promise<TurnContext>((resolve) => starting.set(sessionId, resolve));
  await gateway.sendMessage(caller, sessionId, { content: "Ask." });
  turns.push({ sessionId, context: await started });
  starting.delete(sessionId);
  return sessionId;
}

async function open(sessions: number): Promise<Sessions> {
  const sessionIds = await Promise.all(Array.from({ length: sessions }, openTurn));
  return { sessionIds };
}

async function ask(context: TurnContext, kind: RequestKind, toolCallId: string): Promise<void> {
  // A separate signal, as for a call of a real agent.
  const { signal } = new AbortController();
  const answer = await context.hold(toRequest(kind, toolCallId), { signal });
  if (answer.outcome !== "answered") throw new Error(`Not answered: ${answer.outcome}.`);
  void answer.delivered();
}

function run({ kind, rounds, agents = turns.length }: RunRequest): Promise<RunResult> {
  return measureAgents(agents, rounds, async (agent, round) => {
    const turn = turns[agent];
    if (!turn) throw new Error("This agent does not exist.");
    await ask(turn.context, kind, `call-${round}`);
  });
}

async function hold(kind: RequestKind, each: number): Promise<Held> {
  for (const { context } of turns) {
    for (let index = 0; index < each; index += 1) void ask(context, kind, `call-${index}`);
  }
  const found = await Promise.all(turns.map(({ sessionId }) => pendingOf(sessionId, each)));
  return { interactionIds: found.flat() };
}

async function pendingOf(sessionId: string, count: number): Promise<string[]> {
  for (;;) {
    const query = { sessionId, status: ["pending" as const], limit: count };
    const { items } = await gateway.listInteractions(caller, query);
    if (items.length === count) return items.map(({ interactionId }) => interactionId);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function answer(request: GatewayRequest): Promise<object> {
  switch (request.type) {
    case "open":
      return open(request.sessions);
    case "run":
      return run(request);
    case "hold":
      return hold(request.kind, request.each);
    case "memory":
      return measureMemory();
  }
}

const startedInMs = performance.now() - startedAt;
serveCalls({ port, token, startedInMs } satisfies GatewayPlace, answer);

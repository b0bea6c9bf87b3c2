// The real engine, store and server with agents that do nothing but ask. argv: data folder, bearer token, agents.
import {
  type AgentAdapter,
  createSystemClock,
  createSystemIds,
  openGateway,
  type TurnContext,
} from "@holdpoint/engine";
import type { Caller } from "@holdpoint/protocol";
import { createServer } from "@holdpoint/server";
import { openSqliteStore } from "@holdpoint/store-sqlite";

import { askingAdapter, benchLimits } from "../asking-adapter.ts";
import { measureAgents, type RunRequest, tell } from "./protocol.ts";

const [dataDir = "", token = "", agents = "1"] = process.argv.slice(2);
const caller: Caller = { principal: "person", person: "bench", client: "bench" };
const clock = createSystemClock();
const store = await openSqliteStore({ dataDir });

const turns = new Map<string, TurnContext>();
const started = new Map<string, () => void>();
const adapter: AgentAdapter = askingAdapter(async (sessionId, context) => {
  turns.set(sessionId, context);
  started.get(sessionId)?.();
  await new Promise<void>((resolve) => context.signal.addEventListener("abort", () => resolve()));
});

const gateway = await openGateway({
  store,
  credentials: store.credentials,
  clock,
  ids: createSystemIds(),
  agents: new Map([["asking", adapter]]),
  defaultCwd: "/",
  limits: benchLimits,
});
const server = createServer({
  gateway,
  clock,
  version: "bench",
  personToken: token,
  streamLimits: { perPerson: Number(agents) },
});
const { port } = await server.listen({ host: "127.0.0.1", port: 0 });

/** A session whose turn is running, so that its agent can ask. */
async function openTurn(): Promise<{ sessionId: string; context: TurnContext }> {
  const { sessionId } = await gateway.createSession(caller, { agent: "asking" });
  const running = new Promise<void>((resolve) => started.set(sessionId, resolve));
  await gateway.sendMessage(caller, sessionId, { content: "Ask." });
  await running;
  const context = turns.get(sessionId);
  if (!context) throw new Error("the turn did not start");
  return { sessionId, context };
}

const open = await Promise.all(Array.from({ length: Number(agents) }, openTurn));

async function run(request: RunRequest): Promise<void> {
  const never = new AbortController().signal;
  const result = await measureAgents(request, async (agent, round) => {
    const at = open[agent];
    if (!at) throw new Error("no such agent");
    const answer = await at.context.hold(
      {
        kind: "approval",
        toolCallId: `call-${round}`,
        toolName: "Bash",
        input: { command: "npm test -- dates", note: "x".repeat(300) },
        display: {},
        scopes: ["once"],
        scopeText: {},
        editable: false,
      },
      { signal: never },
    );
    if (answer.outcome !== "answered") throw new Error(`not answered: ${answer.outcome}`);
    void answer.delivered();
  });
  tell(result);
}

const streams = open.map(({ sessionId }) => `/api/sessions/${sessionId}/events`);
tell({ type: "ready", port, streams });
process.on("message", (request: RunRequest) => {
  void run(request);
});
process.on("disconnect", () => process.exit(0));

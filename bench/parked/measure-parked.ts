import {
  type AgentAdapter,
  createSystemClock,
  createSystemIds,
  type Gateway,
  openGateway,
} from "@holdpoint/engine";
import type { Caller } from "@holdpoint/protocol";
import { openSqliteStore, type SqliteStore } from "@holdpoint/store-sqlite";

import { askingAdapter, BENCH_LIMITS, toRequest } from "../support/asking-adapter.ts";
import { measureMemory } from "../support/gateway-protocol.ts";
import { withFolder } from "../support/processes.ts";

const SESSIONS = 1000;
const WARM_UP = 20;
const CALLER: Caller = { principal: "person", person: "bench", client: "bench" };

export interface ParkedFigures {
  readonly sessions: number;
  /** In excess of the heap before they asked. */
  readonly heapBytes: number;
  /** In excess of a start on an empty history. */
  readonly startMs: number;
}

/** Has 1,000 sessions ask, which are parked at once. Needs `--expose-gc`. */
export function measureParkedSessions(): Promise<ParkedFigures> {
  return withFolder((dataDir) =>
    withFolder(async (emptyDir) => {
      const heapBytes = await parkAll(dataDir);
      const emptyMs = await startOn(emptyDir);
      const startMs = (await startOn(dataDir)) - emptyMs;
      return { sessions: SESSIONS, heapBytes, startMs };
    }),
  );
}

async function parkAll(dataDir: string): Promise<number> {
  await using store = await openSqliteStore({ dataDir });
  await using gateway = await open(store);
  await park(gateway, WARM_UP);
  const before = (await measureMemory()).heapBytes;
  await park(gateway, SESSIONS);
  return (await measureMemory()).heapBytes - before;
}

async function startOn(dataDir: string): Promise<number> {
  await using store = await openSqliteStore({ dataDir });
  const startedAt = performance.now();
  const gateway = await open(store);
  const startMs = performance.now() - startedAt;
  await gateway.close();
  return startMs;
}

function open(store: SqliteStore): Promise<Gateway> {
  return openGateway({
    store,
    clock: createSystemClock(),
    ids: createSystemIds(),
    agents: new Map([["asking", parkableAdapter()]]),
    defaultCwd: "/",
    limits: BENCH_LIMITS,
    // Otherwise each would wait some seconds for a client to connect.
    parkAfterMs: 0,
  });
}

function parkableAdapter(): AgentAdapter {
  const asking = askingAdapter(async (_sessionId, context) => {
    await context.hold(toRequest("approval", "call"), { signal: context.signal });
  });
  return {
    ...asking,
    canPark: true,
    openSession: async (options) => ({
      ...(await asking.openSession(options)),
      canResume: async () => true,
      park: async () => undefined,
    }),
  };
}

async function park(gateway: Gateway, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const { sessionId } = await gateway.createSession(CALLER, { agent: "asking" });
    await gateway.sendMessage(CALLER, sessionId, { content: "go" });
    while ((await gateway.getSession(CALLER, sessionId)).status !== "parked") {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}

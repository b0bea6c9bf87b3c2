import {
  createSystemClock,
  createSystemIds,
  type Gateway,
  type HoldResult,
  openGateway,
  type TurnContext,
} from "@holdpoint/engine";
import type { Caller } from "@holdpoint/protocol";
import { openSqliteStore, type SqliteStore } from "@holdpoint/store-sqlite";

import { askingAdapter, BENCH_LIMITS, toRequest, toResponse } from "../support/asking-adapter.ts";
import { measureMemory } from "../support/gateway-protocol.ts";
import { withFolder } from "../support/processes.ts";

const SESSIONS = 100;
const PER_SESSION = 100;
const WARM_UP_PER_SESSION = 2;
const CALLER: Caller = { principal: "person", person: "bench", client: "bench" };

export interface PendingFigures {
  readonly interactions: number;
  /** On the heap while all are pending, in excess of the heap before. */
  readonly bytesPerPending: number;
  /** On the heap after all were settled and their sessions deleted, in excess of the heap before. */
  readonly bytesLeft: number;
}

/**
 * Has 100 sessions ask for 100 approvals each in this process, and settles them all. Measures the heap before, while
 * they are pending, and afterwards. Needs `--expose-gc`, and a fresh process, since memory of an earlier round could
 * be reused.
 */
export function measurePending({ followed }: { followed: boolean }): Promise<PendingFigures> {
  return withFolder(async (dataDir) => {
    const agents = new AskingAgents();
    await using store = await openSqliteStore({ dataDir });
    await using gateway = await openGateway({
      store,
      clock: createSystemClock(),
      ids: createSystemIds(),
      agents: new Map([["asking", agents.adapter]]),
      defaultCwd: "/",
      limits: BENCH_LIMITS,
    });
    const sessionIds = await agents.open(gateway);
    const following = new AbortController();
    if (followed) for (const id of sessionIds) void follow(gateway, id, following.signal);
    // Includes the one-time cost of any process.
    await askAndSettle(WARM_UP_PER_SESSION);
    const before = await heapBytes();
    const bytesPending = await askAndSettle(PER_SESSION);
    following.abort();
    for (const id of sessionIds) await gateway.deleteSession(CALLER, id);
    agents.forget();
    const interactions = SESSIONS * PER_SESSION;
    const bytesLeft = (await heapBytes()) - before;
    return { interactions, bytesPerPending: (bytesPending - before) / interactions, bytesLeft };

    async function askAndSettle(each: number): Promise<number> {
      const answers = agents.ask(each);
      const all = SESSIONS * each;
      while ((await countPending(store)) < all) await nextTurn();
      const heap = await heapBytes();
      const asked = await Promise.all(sessionIds.map((id) => pendingOf(gateway, id, each)));
      await Promise.all(asked.flat().map((pending) => approve(gateway, pending)));
      await answers;
      return heap;
    }
  });
}

/** Agents whose turns run until they are stopped, and that ask on demand. */
class AskingAgents {
  #contexts: TurnContext[] = [];
  readonly adapter = askingAdapter(async (_, context) => {
    this.#contexts.push(context);
    await new Promise((resolve) => context.signal.addEventListener("abort", resolve));
  });

  async open(gateway: Gateway): Promise<string[]> {
    const sessionIds: string[] = [];
    for (let index = 0; index < SESSIONS; index += 1) {
      const { sessionId } = await gateway.createSession(CALLER, { agent: "asking" });
      await gateway.sendMessage(CALLER, sessionId, { content: "Ask." });
      sessionIds.push(sessionId);
    }
    while (this.#contexts.length < SESSIONS) await nextTurn();
    return sessionIds;
  }

  /**
   * Resolves when all answers were delivered. It keeps no data about a pending request, whose memory is being
   * measured.
   */
  async ask(each: number): Promise<void> {
    const left = { count: SESSIONS * each };
    const onAnswer = async (answer: HoldResult): Promise<void> => {
      if (answer.outcome === "answered") await answer.delivered();
      left.count -= 1;
    };
    for (const context of this.#contexts) {
      for (let index = 0; index < each; index += 1) {
        askOnce(context, `call-${index}`, onAnswer);
      }
    }
    while (left.count > 0) await nextTurn();
  }

  forget(): void {
    this.#contexts = [];
  }
}

/** Not an async function: memory that it kept while waiting would belong to the caller, not to the gateway. */
function askOnce(
  context: TurnContext,
  toolCallId: string,
  onAnswer: (answer: HoldResult) => Promise<void>,
): void {
  const { signal } = context;
  void context.hold(toRequest("approval", toolCallId), { signal }).then(onAnswer);
}

/** Reads all frames, as a client without a delay does. */
async function follow(gateway: Gateway, sessionId: string, signal: AbortSignal): Promise<void> {
  const frames = gateway.followSession(CALLER, sessionId, { seq: 0 }, { signal });
  for await (const batch of frames) void batch;
}

interface Pending {
  readonly interactionId: string;
  readonly digest: string | undefined;
}

async function pendingOf(gateway: Gateway, sessionId: string, count: number): Promise<Pending[]> {
  const query = { sessionId, status: ["pending" as const], limit: count };
  const { items } = await gateway.listInteractions(CALLER, query);
  return items.map(({ interactionId, approval }) => ({
    interactionId,
    digest: approval?.digest,
  }));
}

async function approve(gateway: Gateway, { interactionId, digest }: Pending): Promise<void> {
  const response = toResponse("approval", digest);
  const result = await gateway.respond(CALLER, interactionId, response);
  if (result.status !== "accepted") throw new Error(result.problem.detail);
}

async function heapBytes(): Promise<number> {
  return (await measureMemory()).heapBytes;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}

async function countPending(store: SqliteStore): Promise<number> {
  const { answerable } = await store.countAnswerable();
  return [...answerable.values()].reduce((sum, { pending }) => sum + pending, 0);
}

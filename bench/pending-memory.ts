import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createSystemClock, createSystemIds, openGateway } from "@holdpoint/engine";
import type { Caller, Interaction } from "@holdpoint/protocol";
import { openSqliteStore } from "@holdpoint/store-sqlite";

import { askingAdapter, benchLimits } from "./asking-adapter.ts";

const SESSIONS = 100;
const PER_SESSION = 100;
const caller: Caller = { principal: "person", person: "bench", client: "bench" };

export interface MemoryFigures {
  readonly interactions: number;
  /** Resident bytes that one pending interaction holds. */
  readonly bytesPerPending: number;
  /** Resident bytes that are left after all were settled, above what it was before. */
  readonly bytesLeft: number;
}

/** Opens 10,000 interactions in this process, settles them all, and looks at the resident memory. Needs `--expose-gc`. */
export async function measurePendingMemory(): Promise<MemoryFigures> {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-memory-"));
  const clock = createSystemClock();
  const store = await openSqliteStore({ dataDir: folder });
  const gateway = await openGateway({
    store,
    clock,
    ids: createSystemIds(),
    agents: new Map([["asking", askingAdapter((_, context) => askMany(context))]]),
    defaultCwd: "/",
    limits: benchLimits,
  });
  try {
    // The first round pays for what any process needs once.
    await openAndSettle();
    const before = residentBytes();
    const { whilePending } = await openAndSettle();
    const interactions = SESSIONS * PER_SESSION;
    return {
      interactions,
      bytesPerPending: (whilePending - before) / interactions,
      bytesLeft: residentBytes() - before,
    };
  } finally {
    await gateway.close({ reason: "draining" });
    await store[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  }

  async function openAndSettle(): Promise<{ whilePending: number }> {
    const sessions = await Promise.all(
      Array.from({ length: SESSIONS }, () => gateway.createSession(caller, { agent: "asking" })),
    );
    await Promise.all(
      sessions.map(({ sessionId }) => gateway.sendMessage(caller, sessionId, { content: "Ask." })),
    );
    const asked = await Promise.all(sessions.map(({ sessionId }) => waitForAll(sessionId)));
    const whilePending = residentBytes();
    for (const interactions of asked) await Promise.all(interactions.map(approve));
    await Promise.all(sessions.map(({ sessionId }) => gateway.deleteSession(caller, sessionId)));
    return { whilePending };
  }

  async function waitForAll(
    sessionId: string,
  ): Promise<{ interactionId: string; digest: string }[]> {
    for (;;) {
      const { items } = await gateway.listInteractions(caller, {
        sessionId,
        status: ["pending"],
        limit: PER_SESSION,
      });
      if (items.length === PER_SESSION) return items.map(digestOf);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async function approve({
    interactionId,
    digest,
  }: {
    interactionId: string;
    digest: string;
  }): Promise<void> {
    const result = await gateway.respond(caller, interactionId, { action: "approve", digest });
    if (result.status !== "accepted") throw new Error(result.problem.detail);
  }
}

function digestOf({ interactionId, approval }: Interaction): {
  interactionId: string;
  digest: string;
} {
  return { interactionId, digest: approval?.digest ?? "" };
}

async function askMany(context: Parameters<Parameters<typeof askingAdapter>[0]>[1]): Promise<void> {
  const answers = Array.from({ length: PER_SESSION }, async (_, index) => {
    const answer = await context.hold(
      {
        kind: "approval",
        toolCallId: `call-${index}`,
        toolName: "Bash",
        input: { command: `npm test -- part-${index}`, note: "x".repeat(500) },
        display: { description: "Runs a part of the tests" },
        scopes: ["once"],
        scopeText: {},
        editable: true,
      },
      { signal: context.signal },
    );
    if (answer.outcome === "answered") await answer.delivered();
  });
  await Promise.all(answers);
}

function residentBytes(): number {
  for (let round = 0; round < 4; round += 1) globalThis.gc?.();
  return process.memoryUsage().rss;
}

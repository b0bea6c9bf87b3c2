import { isAnswerable } from "@holdpoint/protocol";

import type { Clock } from "../ports/clock.ts";
import type { Store, StoredSession } from "../ports/store.ts";
import { discardAgent, type DiscardAgentParts } from "./agent-session.ts";
import type { LiveSession } from "./live-session.ts";
import type { LiveSessions } from "./live-sessions.ts";
import type { SessionsOverview } from "./session-log.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** A session that was used so lately is not deleted for its size. */
const IN_USE_MS = DAY_MS;
const PAGE = 100;
/** Interactions of one session that are looked at. One with more that are not final is kept. */
const MOST_OPEN = 1000;
const OPEN = ["pending", "answered", "expired", "orphaned"] as const;

export interface PruneParts extends DiscardAgentParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly sessions: LiveSessions;
  readonly overview: Pick<SessionsOverview, "sessionDeleted">;
  readonly kickQueue: (sessionId: string) => void;
  /** Whom the sessions of programs and agents belong to. */
  readonly credentials: {
    readonly list: () => Promise<readonly { readonly sessionId?: string }[]>;
  };
}

/** Which sessions are too old or too large. Without both, none is. */
export interface PruneRule {
  /** Nothing has changed in it for so long. */
  readonly olderThanDays?: number | undefined;
  /** Its log and its files have more than this, and nothing has changed in it for a day. */
  readonly largerThanBytes?: number | undefined;
}

export interface PruneOptions extends PruneRule {
  /** Only say what would go. */
  readonly dryRun: boolean;
  /** Where the look before this one has stopped. */
  readonly cursor?: string | undefined;
  /** Stops with the session after this time, so that its caller hears of it. */
  readonly limitMs: number;
}

export interface PrunedSession {
  readonly sessionId: string;
  readonly updatedAt: string;
  readonly bytes: number;
  readonly because: "age" | "size";
}

export interface Pruned {
  readonly sessions: readonly PrunedSession[];
  /** There is more to look at. */
  readonly nextCursor?: string;
}

/**
 * Deletes whole sessions that are too old or too large. One that works, is parked, has queued messages or belongs to somebody's
 * token stays, and so does one with anything that can be answered, late as well, or whose answer the agent has not got. A
 * log is never cut: `seq` has no gaps.
 */
export async function pruneSessions(parts: PruneParts, options: PruneOptions): Promise<Pruned> {
  const { store, clock, credentials } = parts;
  const endMs = clock.monotonic() + options.limitMs;
  const owned = new Set((await credentials.list()).map(({ sessionId }) => sessionId));
  const pruned: PrunedSession[] = [];
  let { cursor } = options;
  for (;;) {
    const page = await store.listSessions({ limit: PAGE, ...(cursor !== undefined && { cursor }) });
    for (const session of page.items) {
      if (owned.has(session.sessionId)) continue;
      const found = await pruneSession(parts, options, session);
      if (found) pruned.push(found);
    }
    cursor = page.nextCursor;
    if (cursor === undefined) return { sessions: pruned };
    if (clock.monotonic() >= endMs) return { sessions: pruned, nextCursor: cursor };
  }
}

async function pruneSession(
  parts: PruneParts,
  options: PruneOptions,
  { sessionId }: StoredSession,
): Promise<PrunedSession | undefined> {
  return parts.sessions.use(sessionId, async (live) => {
    // One that works or is needed is never marked: what ends in it meanwhile has to be written.
    if (live.deleting || live.driver || live.turn) return undefined;
    const first = await judge(parts, options, live);
    if (!first || options.dryRun) return first;
    if (live.deleting || live.driver || live.turn) return undefined;
    return removeUnneeded(parts, options, live);
  });
}

/** Looks once more when nothing new can begin in the session, and what was being written is there. */
async function removeUnneeded(
  parts: PruneParts,
  options: PruneOptions,
  live: LiveSession,
): Promise<PrunedSession | undefined> {
  live.deleting = true;
  let found: PrunedSession | undefined;
  try {
    await live.rowWrites(async () => {
      found = await judge(parts, options, live);
      if (found) await remove(parts, live);
    });
    return found;
  } finally {
    live.deleting = false;
    // What was to begin meanwhile has waited.
    if (!found) parts.kickQueue(live.sessionId);
  }
}

async function remove(parts: PruneParts, live: LiveSession): Promise<void> {
  const { store, overview } = parts;
  // It is open and does nothing.
  void discardAgent(parts, live);
  await store.deleteSession(live.sessionId);
  live.end("session_deleted");
  overview.sessionDeleted(live.sessionId);
}

/** Why the session goes; `undefined`: it stays. */
async function judge(
  parts: PruneParts,
  options: PruneOptions,
  live: LiveSession,
): Promise<PrunedSession | undefined> {
  const { store, clock, sessions } = parts;
  const { sessionId } = live;
  if (live.driver || live.turn || sessions.statusOf(sessionId) !== "idle") return undefined;
  const session = await store.getSession(sessionId);
  if (session?.status !== "idle") return undefined;
  const { updatedAt } = session;
  const may = mayGo(options, clock.now() - Date.parse(updatedAt));
  if (may === undefined || (await isNeeded(store, sessionId))) return undefined;
  const bytes = await store.sessionBytes(sessionId);
  if (may === "size" && bytes <= (options.largerThanBytes ?? Infinity)) return undefined;
  return { sessionId, updatedAt, bytes, because: may };
}

/** Whether a session of this age is too old, or would go for its size. */
function mayGo(
  { olderThanDays, largerThanBytes }: PruneRule,
  ageMs: number,
): PrunedSession["because"] | undefined {
  if (olderThanDays !== undefined && ageMs > olderThanDays * DAY_MS) return "age";
  return largerThanBytes !== undefined && ageMs > IN_USE_MS ? "size" : undefined;
}

async function isNeeded(store: Store, sessionId: string): Promise<boolean> {
  return (await store.nextMessage(sessionId)) !== undefined || hasOpen(store, sessionId);
}

async function hasOpen(store: Store, sessionId: string): Promise<boolean> {
  const query = { sessionId, statuses: OPEN, limit: MOST_OPEN };
  const { items, nextCursor } = await store.listInteractions(query);
  if (nextCursor !== undefined) return true;
  return items.some(
    ({ interaction }) => interaction.status === "answered" || isAnswerable(interaction),
  );
}

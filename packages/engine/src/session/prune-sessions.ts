import type { StoredSession } from "../ports/store.ts";
import { removeUnneeded, type RemoveUnneededParts } from "./remove-unneeded.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** A session that was used so lately is not deleted for its size. */
const IN_USE_MS = DAY_MS;
const PAGE = 100;

export interface PruneParts extends RemoveUnneededParts {
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
 * Deletes whole sessions that are too old or too large and that nobody needs. One that belongs to somebody's token stays. A log is
 * never cut: `seq` has no gaps.
 */
export async function pruneSessions(parts: PruneParts, options: PruneOptions): Promise<Pruned> {
  const { store, clock, credentials } = parts;
  const endMs = clock.monotonic() + options.limitMs;
  const owned = new Set((await credentials.list()).map(({ sessionId }) => sessionId));
  const pruned: PrunedSession[] = [];
  let { cursor } = options;
  for (;;) {
    const page = await store.listSessions({ limit: PAGE, ...(cursor !== undefined && { cursor }) });
    for (const { sessionId } of page.items) {
      if (owned.has(sessionId)) continue;
      const found = await pruneSession(parts, options, sessionId);
      if (found) pruned.push(found);
    }
    cursor = page.nextCursor;
    if (cursor === undefined) return { sessions: pruned };
    if (clock.monotonic() >= endMs) return { sessions: pruned, nextCursor: cursor };
  }
}

function pruneSession(
  parts: PruneParts,
  options: PruneOptions,
  sessionId: string,
): Promise<PrunedSession | undefined> {
  const { store, clock } = parts;
  const judge = async ({ updatedAt }: StoredSession): Promise<PrunedSession | undefined> => {
    const because = mayGo(options, clock.now() - Date.parse(updatedAt));
    if (because === undefined) return undefined;
    const bytes = await store.sessionBytes(sessionId);
    const isSmall = bytes <= (options.largerThanBytes ?? Infinity);
    return because === "size" && isSmall ? undefined : { sessionId, updatedAt, bytes, because };
  };
  return removeUnneeded(parts, sessionId, { judge, dryRun: options.dryRun });
}

/** Whether a session of this age is too old, or would go for its size. */
function mayGo(
  { olderThanDays, largerThanBytes }: PruneRule,
  ageMs: number,
): PrunedSession["because"] | undefined {
  if (olderThanDays !== undefined && ageMs > olderThanDays * DAY_MS) return "age";
  return largerThanBytes !== undefined && ageMs > IN_USE_MS ? "size" : undefined;
}

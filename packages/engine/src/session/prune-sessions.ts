import type { StoredSession } from "../ports/store.ts";
import { removeUnneeded, type RemoveUnneededParts } from "./remove-unneeded.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** A session that changed within this time is not deleted for its size. */
const IN_USE_MS = DAY_MS;
const PAGE = 100;

export interface PruneParts extends RemoveUnneededParts {
  /** Sessions of programs and agents belong to these. */
  readonly credentials: {
    readonly list: () => Promise<readonly { readonly sessionId?: string }[]>;
  };
}

/** Which sessions are too old or too large. Without both limits, none. */
export interface PruneRule {
  /** Sessions that have not changed for longer than this. */
  readonly olderThanDays?: number | undefined;
  /** Sessions whose log and files are larger than this, if nothing has changed in them for a day. */
  readonly largerThanBytes?: number | undefined;
}

export interface PruneOptions extends PruneRule {
  /** Only report the sessions that would be deleted. */
  readonly dryRun: boolean;
  /** Where the previous call stopped. */
  readonly cursor?: string | undefined;
  /** Stops after the page of sessions during which this time has passed, so that the caller gets a result. */
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
  /** Set when there are more sessions to check. */
  readonly nextCursor?: string;
}

/**
 * Deletes entire sessions that are too old or too large and that no one needs. A session that belongs to a token stays.
 * A log is never truncated, since `seq` has no gaps.
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

/** Whether a session of this age is too old, or may be deleted for its size. */
function mayGo(
  { olderThanDays, largerThanBytes }: PruneRule,
  ageMs: number,
): PrunedSession["because"] | undefined {
  if (olderThanDays !== undefined && ageMs > olderThanDays * DAY_MS) return "age";
  return largerThanBytes !== undefined && ageMs > IN_USE_MS ? "size" : undefined;
}

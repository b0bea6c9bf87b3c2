import {
  type Interaction,
  type InteractionList,
  type InteractionStatus,
  isAnswerable,
  LATE_STATUSES,
  maySee,
  type OverviewFrame,
  type SerializedFrame,
  type SessionList,
  type Sight,
} from "@holdpoint/protocol";

import { withRemaining } from "../interaction/create-interaction.ts";
import type { Clock } from "../ports/clock.ts";
import type { Store } from "../ports/store.ts";
import type { LiveSessions } from "../session/live-sessions.ts";
import { toSession } from "../session/stored-session.ts";
import type { Follower, OverviewFeed } from "./overview-feed.ts";

/** The most rows and UTF-8 bytes of each kind: together below 100 kB, however much is open. */
const PENDING = { rows: 50, bytes: 40_000 };
const LATE = { rows: 20, bytes: 15_000 };
const SESSIONS = { rows: 50, bytes: 20_000 };
const SESSIONS_OF_INTERACTIONS = { bytes: 20_000 };
/** Late interactions that take no answer are skipped, up to this number at once. */
const PASSED_OVER = 1000;

const ENCODER = new TextEncoder();

interface Limit {
  readonly rows: number;
  readonly bytes: number;
}

interface Page<TItem> {
  readonly items: readonly TItem[];
  readonly nextCursor?: string;
}

export interface OverviewSnapshotParts {
  readonly overview: OverviewFeed;
  readonly store: Store;
  readonly sessions: LiveSessions;
  readonly clock: Clock;
}

/** The first frame of an overview, and the counts frame from the same moment. */
export async function overviewSnapshot(
  parts: OverviewSnapshotParts,
  follower: Follower,
): Promise<{ frame: SerializedFrame; countsFrame: SerializedFrame }> {
  const { sight } = follower;
  const pending = await firstInteractions(parts, sight, { statuses: ["pending"], ...PENDING });
  const late = await firstInteractions(parts, sight, { statuses: LATE_STATUSES, ...LATE });
  const sessions = await firstSessions(parts, sight, [...pending.items, ...late.items]);
  const counts = parts.overview.countsOf(follower);
  const countsFrame = parts.overview.countsFrameOf(follower);
  const { epoch } = parts.store;
  const snapshot: OverviewFrame = { type: "snapshot", epoch, counts, sessions, pending, late };
  return { frame: { json: JSON.stringify(snapshot) }, countsFrame };
}

async function firstInteractions(
  parts: OverviewSnapshotParts,
  sight: Sight | undefined,
  { statuses, ...limit }: Limit & { readonly statuses: readonly InteractionStatus[] },
): Promise<InteractionList> {
  const nowMs = parts.clock.now();
  let start: { cursor?: string } = {};
  for (let passedOver = 0; ; passedOver += limit.rows) {
    const page = await firstPage(limit, async (rows) => {
      const query = { statuses, sight, limit: rows, ...start };
      const { items, ...rest } = await parts.store.listInteractions(query);
      return { ...rest, items: items.map(({ interaction }) => withRemaining(interaction, nowMs)) };
    });
    const items = page.items.filter(isAnswerable);
    const { nextCursor } = page;
    if (items.length > 0 || nextCursor === undefined || passedOver >= PASSED_OVER) {
      return { ...page, items };
    }
    start = { cursor: nextCursor };
  }
}

/** The first page of sessions, then the sessions of the listed interactions that are not on it. */
async function firstSessions(
  parts: OverviewSnapshotParts,
  sight: Sight | undefined,
  interactions: readonly Interaction[],
): Promise<SessionList> {
  const page = await firstPage(SESSIONS, async (limit) => {
    const { items, ...rest } = await parts.store.listSessions({ archived: false, sight, limit });
    return { ...rest, items: items.map((stored) => toSession(parts, stored)) };
  });
  const known = new Set(page.items.map(({ sessionId }) => sessionId));
  const asking = new Set(interactions.map(({ sessionId }) => sessionId));
  const missing = [...asking].filter((sessionId) => !known.has(sessionId));
  const found = await Promise.all(missing.map((sessionId) => parts.store.getSession(sessionId)));
  const others = found.flatMap((stored) =>
    stored && maySee({ seenBy: stored.seenBy }, sight) ? [toSession(parts, stored)] : [],
  );
  const room = countFitting(others, SESSIONS_OF_INTERACTIONS);
  return { ...page, items: [...page.items, ...others.slice(0, room)] };
}

/** The rows that fit into the limit, with the cursor of a page that ends after them. */
async function firstPage<TItem>(
  limit: Limit,
  read: (rows: number) => Promise<Page<TItem>>,
): Promise<{ items: TItem[]; nextCursor?: string }> {
  const page = await read(limit.rows);
  const room = countFitting(page.items, limit);
  const { items, ...rest } = room === page.items.length || room === 0 ? page : await read(room);
  return room === 0 ? { items: [] } : { ...rest, items: [...items] };
}

function countFitting(items: readonly unknown[], { bytes }: Pick<Limit, "bytes">): number {
  let left = bytes;
  const tooMuch = items.findIndex((item) => {
    left -= ENCODER.encode(JSON.stringify(item)).length + 1;
    return left < 0;
  });
  return tooMuch === -1 ? items.length : tooMuch;
}

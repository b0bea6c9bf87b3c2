import {
  type Caller,
  type Cursor,
  type EphemeralFrame,
  type FollowOptions,
  maySee,
  type Seen,
  type SerializedFrame,
  type Sight,
  sightOf,
} from "@holdpoint/protocol";

import { notFound } from "../lib/errors.ts";
import { assertSeesSession } from "../lib/seen-rows.ts";
import type { Store } from "../ports/store.ts";
import type { Presence } from "../presence/presence.ts";
import type { PlacedText } from "../session/event-tail.ts";
import type { LiveSession } from "../session/live-session.ts";
import type { LiveSessions } from "../session/live-sessions.ts";
import type { PartialOffsets } from "../session/partial-texts.ts";
import { toQueuedMessage } from "../turn/queued-messages.ts";
import { batchesOf } from "./frame-batches.ts";

/** What a follower reads of the log at a time, and keeps until its client has taken it. */
const PAGE = { limit: 1000, units: 64 * 1024 };

export interface FollowSessionParts {
  readonly overview: { seenByOf(sessionId: string): Seen["seenBy"] };
  readonly store: Store;
  readonly sessions: LiveSessions;
  readonly presence: Presence;
  readonly draining: AbortSignal;
}

/** All that is kept for one follower. */
interface Position {
  seq: number;
  /** Where the log ended when it began to follow. */
  readonly replayEnd: number;
  partials: PartialOffsets;
  /** The last frame of each kind that it got: another object means there is news. */
  status: SerializedFrame | undefined;
  queue: SerializedFrame | undefined;
  presence: SerializedFrame | undefined;
}

/**
 * The log after the cursor, then what happens. The follower pulls: whatever it has not asked for yet stays in the log,
 * and of the rest only the newest state is kept, for all followers together.
 */
export async function* followSession(
  parts: FollowSessionParts,
  caller: Caller,
  { sessionId, cursor }: { readonly sessionId: string; readonly cursor: Cursor },
  { signal }: FollowOptions,
): AsyncGenerator<readonly SerializedFrame[], void> {
  const sight = sightOf(caller);
  const live = parts.sessions.acquire(sessionId);
  live.addFollower();
  try {
    if (sight) await assertSeesSession(parts.store, sessionId, sight);
    const { position, isReset } = await openPosition(parts, live, cursor);
    if (isReset) yield [toFrame({ type: "reset", epoch: parts.store.epoch })];
    // One loop without a generator inside: for each of a thousand followers, every step of it counts.
    while (!signal.aborted) {
      const waitFrom = live.changes.version;
      const ended = live.ended ?? endOf(parts, sessionId, sight);
      if (ended) {
        yield [toFrame({ type: "closing", reason: ended })];
        return;
      }
      const events = newestEvents(live, position) ?? (await olderEvents(parts, live, position));
      const queue = live.queueFrame ?? (await readQueue(parts, live));
      const { frames, hasMore } = take(parts, live, position, { events, queue });
      const all = batchesOf(frames);
      const batches = sight ? untilTaken(parts, sessionId, sight, all) : all;
      for (const batch of batches) yield batch;
      if (!hasMore) await live.changes.wait(waitFrom, { signal });
    }
  } finally {
    live.removeFollower();
    parts.sessions.release(live);
  }
}

/** Why it ends for this follower. To whom a session does not belong any more, it is as one that was deleted. */
function endOf(
  { overview, draining }: FollowSessionParts,
  sessionId: string,
  sight: Sight | undefined,
): "draining" | "session_deleted" | undefined {
  if (draining.aborted) return "draining";
  if (!sight || maySee({ seenBy: overview.seenByOf(sessionId) }, sight)) return undefined;
  return "session_deleted";
}

/** While a slow follower takes one batch, the session may be taken away. */
function* untilTaken(
  parts: FollowSessionParts,
  sessionId: string,
  sight: Sight,
  batches: ReturnType<typeof batchesOf>,
): ReturnType<typeof batchesOf> {
  for (const batch of batches) {
    if (endOf(parts, sessionId, sight)) return;
    yield batch;
  }
}

/** Where it begins: after the cursor, or anew (`isReset`) when the cursor is of another history. */
async function openPosition(
  { store }: FollowSessionParts,
  live: LiveSession,
  cursor: Cursor,
): Promise<{ readonly position: Position; readonly isReset: boolean }> {
  const stored = await store.getSession(live.sessionId);
  if (!stored) throw notFound("session");
  live.lastSeq = Math.max(live.lastSeq, stored.lastSeq);
  const isForeign = cursor.epoch !== undefined && cursor.epoch !== store.epoch;
  const isReset = isForeign || cursor.seq > live.lastSeq;
  const position = {
    seq: isReset ? 0 : cursor.seq,
    replayEnd: live.lastSeq,
    partials: new Map(),
    status: undefined,
    queue: undefined,
    presence: undefined,
  };
  return { position, isReset };
}

function toFrame(frame: EphemeralFrame): SerializedFrame {
  return { json: JSON.stringify(frame) };
}

/** What the follower has not got yet of the log; `undefined` when some of it is only in the store. */
function newestEvents(
  { tail, lastSeq }: LiveSession,
  { seq }: Position,
): readonly PlacedText[] | undefined {
  return seq >= lastSeq ? [] : tail.after(seq);
}

function olderEvents(
  { store }: FollowSessionParts,
  { sessionId, page }: LiveSession,
  { seq }: Position,
): Promise<readonly PlacedText[]> {
  return page.read(seq, () => store.readEvents(sessionId, { after: seq, ...PAGE }));
}

/** Events, and what goes along with them, in the order for the follower. `hasMore`: there is more for it already. */
function take(
  parts: FollowSessionParts,
  live: LiveSession,
  position: Position,
  { events, queue }: { readonly events: readonly PlacedText[]; readonly queue: SerializedFrame },
): { readonly frames: readonly SerializedFrame[]; readonly hasMore: boolean } {
  position.seq = events.at(-1)?.seq ?? position.seq;
  const beside = framesBeside(parts, live, position, queue);
  const hasMore = (events.length > 0 && position.seq < live.lastSeq) || beside.some(isPiece);
  return { frames: [...events, ...beside], hasMore };
}

/**
 * What goes along with the log: the present state once the follower has all of the log. Presence comes sooner, right after
 * the replay: a session that is always busy must not keep it back.
 */
function framesBeside(
  parts: FollowSessionParts,
  live: LiveSession,
  position: Position,
  queue: SerializedFrame,
): SerializedFrame[] {
  // What landed while the queue was read comes first: no text follows the event that holds it as a whole.
  if (position.seq >= live.lastSeq) return stateFrames(parts, live, position, queue);
  return position.seq >= position.replayEnd ? presenceFrames(parts, live, position) : [];
}

/** The present state, as far as it is new to a follower that has the whole log. */
function stateFrames(
  parts: FollowSessionParts,
  live: LiveSession,
  position: Position,
  queue: SerializedFrame,
): SerializedFrame[] {
  const frames: SerializedFrame[] = [];
  if (position.status !== live.statusFrame) {
    position.status = live.statusFrame;
    frames.push(live.statusFrame);
  }
  if (position.queue !== queue) {
    position.queue = queue;
    frames.push(queue);
  }
  frames.push(...presenceFrames(parts, live, position));
  const partials = live.partials.framesFrom(position.partials);
  position.partials = partials.offsets;
  frames.push(...partials.frames);
  return frames;
}

/** A piece of a growing text, which may have another behind it. */
function isPiece({ canWait }: SerializedFrame): boolean {
  return canWait === true;
}

function presenceFrames(
  { presence, overview }: FollowSessionParts,
  { sessionId }: LiveSession,
  position: Position,
): SerializedFrame[] {
  const frame = presence.frameOf(overview.seenByOf(sessionId));
  if (position.presence === frame) return [];
  position.presence = frame;
  return [frame];
}

/** The messages that are queued in the session, as one frame for all followers. */
function readQueue({ store }: FollowSessionParts, live: LiveSession): Promise<SerializedFrame> {
  const { sessionId } = live;
  return live.readQueue(async () => {
    const messages = (await store.listQueue(sessionId)).map(toQueuedMessage);
    return { json: JSON.stringify({ type: "queue_changed", sessionId, messages }) };
  });
}

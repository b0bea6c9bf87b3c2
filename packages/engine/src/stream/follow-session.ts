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

/** The part of the log that a follower reads at a time, and keeps until its client has taken it. */
const PAGE = { limit: 1000, units: 64 * 1024 };

export interface FollowSessionParts {
  readonly overview: { seenByOf(sessionId: string): Seen["seenBy"] };
  readonly store: Store;
  readonly sessions: LiveSessions;
  readonly presence: Presence;
  readonly draining: AbortSignal;
}

/** All state kept for one follower. */
interface Position {
  seq: number;
  /** The end of the log when following began. */
  readonly replayEnd: number;
  partials: PartialOffsets;
  /** The last frame of each kind that was sent. A different object means news. */
  status: SerializedFrame | undefined;
  queue: SerializedFrame | undefined;
  presence: SerializedFrame | undefined;
}

/**
 * Yields the log after the cursor, then live changes. The follower pulls: events that it has not requested stay in the
 * log, and of everything else only the newest state is kept, for all followers together.
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
    // One loop without an inner generator, since every step counts for a thousand followers.
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

/** Why the stream ends for this follower. A session that is no longer visible to them counts as deleted. */
function endOf(
  { overview, draining }: FollowSessionParts,
  sessionId: string,
  sight: Sight | undefined,
): "draining" | "session_deleted" | undefined {
  if (draining.aborted) return "draining";
  if (!sight || maySee({ seenBy: overview.seenByOf(sessionId) }, sight)) return undefined;
  return "session_deleted";
}

/** Stops when the session is no longer visible, which can happen while a slow follower takes a batch. */
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

/**
 * The start position: after the cursor, or from the beginning (`isReset`) when the cursor belongs to another history.
 */
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

/** The events that the follower has not received yet; `undefined` when some of them are only in the store. */
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

/** The follower's next frames in order: events, then others. `hasMore`: more is available at once. */
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
 * The frames sent along with the log: the current state, once the follower has the whole log. Presence comes earlier,
 * right after the replay, so that a permanently busy session does not hold it back.
 */
function framesBeside(
  parts: FollowSessionParts,
  live: LiveSession,
  position: Position,
  queue: SerializedFrame,
): SerializedFrame[] {
  // Events that landed while the queue was read come first: a partial text must not follow the event that contains it
  // as a whole.
  if (position.seq >= live.lastSeq) return stateFrames(parts, live, position, queue);
  return position.seq >= position.replayEnd ? presenceFrames(parts, live, position) : [];
}

/** The current state, as far as it is new to a follower that has the whole log. */
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

/** Whether the frame is a piece of a growing text, which may be followed by another one. */
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

/** The queued messages of the session, as one frame for all followers. */
function readQueue({ store }: FollowSessionParts, live: LiveSession): Promise<SerializedFrame> {
  const { sessionId } = live;
  return live.readQueue(async () => {
    const messages = (await store.listQueue(sessionId)).map(toQueuedMessage);
    return { json: JSON.stringify({ type: "queue_changed", sessionId, messages }) };
  });
}

import type { Cursor, FollowOptions, SerializedFrame } from "@holdpoint/protocol";

import { notFound } from "../lib/errors.ts";
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
  readonly store: Store;
  readonly sessions: LiveSessions;
  readonly presence: Presence;
  readonly draining: AbortSignal;
}

/** All that is kept for one follower. */
interface Position {
  seq: number;
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
  sessionId: string,
  cursor: Cursor,
  { signal }: FollowOptions,
): AsyncIterable<readonly SerializedFrame[]> {
  const live = parts.sessions.acquire(sessionId);
  live.addFollower();
  try {
    const stored = await parts.store.getSession(sessionId);
    if (!stored) throw notFound("session");
    live.lastSeq = Math.max(live.lastSeq, stored.lastSeq);
    const isForeign = cursor.epoch !== undefined && cursor.epoch !== parts.store.epoch;
    const isReset = isForeign || cursor.seq > live.lastSeq;
    if (isReset) yield [{ json: JSON.stringify({ type: "reset", epoch: parts.store.epoch }) }];
    yield* follow(parts, live, isReset ? 0 : cursor.seq, signal);
  } finally {
    live.removeFollower();
    parts.sessions.release(live);
  }
}

async function* follow(
  parts: FollowSessionParts,
  live: LiveSession,
  seq: number,
  signal: AbortSignal,
): AsyncIterable<readonly SerializedFrame[]> {
  const position: Position = {
    seq,
    partials: new Map(),
    status: undefined,
    queue: undefined,
    presence: undefined,
  };
  const replayEnd = live.lastSeq;
  while (!signal.aborted) {
    const waitFrom = live.changes.version;
    const ended = live.ended ?? (parts.draining.aborted ? "draining" : undefined);
    if (ended) {
      yield [{ json: JSON.stringify({ type: "closing", reason: ended }) }];
      return;
    }
    const events = await nextEvents(parts, live, position);
    yield* batchesOf(events);
    const frames = await framesBeside(parts, live, position, replayEnd);
    yield* batchesOf(frames);
    if (events.length === 0 && frames.length === 0) await live.changes.wait(waitFrom, { signal });
  }
}

/** What the follower has not got yet of the log. */
async function nextEvents(
  { store }: FollowSessionParts,
  { sessionId, tail, page, lastSeq }: LiveSession,
  position: Position,
): Promise<readonly PlacedText[]> {
  const { seq } = position;
  if (seq >= lastSeq) return [];
  const load = (): ReturnType<Store["readEvents"]> =>
    store.readEvents(sessionId, { after: seq, ...PAGE });
  const events = tail.after(seq) ?? (await page.read(seq, load));
  position.seq = events.at(-1)?.seq ?? seq;
  return events;
}

/**
 * What goes along with the log: the present state once the follower has all of the log. Presence comes sooner, right after
 * the replay: a session that is always busy must not keep it back.
 */
async function framesBeside(
  parts: FollowSessionParts,
  live: LiveSession,
  position: Position,
  replayEnd: number,
): Promise<SerializedFrame[]> {
  if (position.seq >= live.lastSeq) return stateFrames(parts, live, position);
  return position.seq >= replayEnd ? presenceFrames(parts, position) : [];
}

/** The present state, as far as it is new to a follower that has the whole log. */
async function stateFrames(
  parts: FollowSessionParts,
  live: LiveSession,
  position: Position,
): Promise<SerializedFrame[]> {
  const frames: SerializedFrame[] = [];
  const queue = await live.queueFrame(() => queueFrame(parts.store, live.sessionId));
  // What lands while the queue is read comes first: no text follows the event that holds it as a whole.
  if (position.seq < live.lastSeq) return frames;
  if (position.status !== live.statusFrame) {
    position.status = live.statusFrame;
    frames.push(live.statusFrame);
  }
  if (position.queue !== queue) {
    position.queue = queue;
    frames.push(queue);
  }
  frames.push(...presenceFrames(parts, position));
  const partials = live.partials.framesFrom(position.partials);
  position.partials = partials.offsets;
  frames.push(...partials.frames);
  return frames;
}

function presenceFrames({ presence }: FollowSessionParts, position: Position): SerializedFrame[] {
  if (position.presence === presence.frame) return [];
  position.presence = presence.frame;
  return [presence.frame];
}

/** The messages that are queued in one session, as one frame. */
async function queueFrame(store: Store, sessionId: string): Promise<SerializedFrame> {
  const messages = (await store.listQueue(sessionId)).map(toQueuedMessage);
  return { json: JSON.stringify({ type: "queue_changed", sessionId, messages }) };
}

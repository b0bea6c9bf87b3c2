import {
  type Caller,
  type FollowOptions,
  type Interaction,
  maySee,
  type OverviewFrame,
  type SerializedFrame,
} from "@holdpoint/protocol";

import { withRemaining } from "../interaction/create-interaction.ts";
import { toPerson } from "../lib/to-person.ts";
import type { Presence } from "../presence/presence.ts";
import { toSession } from "../session/stored-session.ts";
import { batchesOf } from "./frame-batches.ts";
import { type Follower, type OverviewChange, toFollower } from "./overview-feed.ts";
import { overviewSnapshot, type OverviewSnapshotParts } from "./overview-snapshot.ts";

const CHANGES_AT_ONCE = 50;

export interface FollowOverviewParts extends OverviewSnapshotParts {
  readonly presence: Presence;
}

/** The newest of each that a follower got; another object or number means there is news. */
interface Received {
  counts: SerializedFrame | undefined;
  presence: SerializedFrame | undefined;
  grantsVersion: number;
  snoozesVersion: number;
  sharingVersion: number;
}

/**
 * A snapshot with counts and first pages, then what changes, each time with the counts if they are others: all of it as far as
 * the caller may see it. A follower that missed too many changes gets a new snapshot, and so does one who does not see
 * everything when a session is given to others. Ends with `closing` when the gateway closes.
 */
export async function* followOverview(
  parts: FollowOverviewParts,
  caller: Caller,
  { signal }: FollowOptions,
): AsyncGenerator<readonly SerializedFrame[], void> {
  const { overview } = parts;
  const follower = toFollower(caller);
  overview.addFollower();
  try {
    let version: number | undefined;
    const received: Received = {
      counts: undefined,
      presence: undefined,
      grantsVersion: overview.grantsVersion,
      snoozesVersion: overview.snoozesVersion,
      sharingVersion: overview.sharingVersion,
    };
    /** Others see some session than when it began to read: what it has read may not be for this follower any more. */
    const isOutdated = (): boolean =>
      follower.sight !== undefined && received.sharingVersion !== overview.sharingVersion;
    while (!signal.aborted) {
      const waitFrom = overview.changes.version;
      if (overview.ended) {
        yield [toFrame({ type: "closing", reason: "draining" })];
        return;
      }
      const changes = version === undefined || isOutdated() ? undefined : overview.since(version);
      version = overview.version;
      received.sharingVersion = overview.sharingVersion;
      if (changes) {
        const seen = changes.filter((change) => maySee(change, follower.sight));
        yield* changesOf(parts, seen, () => isOutdated());
      } else {
        const { frame, countsFrame } = await overviewSnapshot(parts, follower);
        received.counts = countsFrame;
        yield isOutdated() ? [] : [...toPersonFrames(caller), frame];
      }
      const news = newsOf(parts, follower, received);
      if (news.length > 0) yield news;
      else if (changes?.length === 0) await overview.changes.wait(waitFrom, { signal });
    }
  } finally {
    overview.removeFollower();
  }
}

/** Who an issuer has signed in, and what they may do. The owner may do all. */
function toPersonFrames(caller: Caller): SerializedFrame[] {
  return caller.personId === undefined ? [] : [toFrame({ type: "person", ...toPerson(caller) })];
}

/**
 * Counts, presence, grants and what is put off, if they changed. Who does not see everything is told of their own clients. Sent in every round: a busy gateway always has other changes as well.
 */
function newsOf(
  { overview, presence }: FollowOverviewParts,
  follower: Follower,
  received: Received,
): SerializedFrame[] {
  const news: SerializedFrame[] = [];
  const counts = overview.countsFrameOf(follower);
  if (received.counts !== counts) {
    received.counts = counts;
    news.push(counts);
  }
  const { sight, viewer } = follower;
  const present = sight ? presence.ownFrameOf(viewer.personId) : presence.frame;
  if (received.presence !== present) {
    received.presence = present;
    news.push(present);
  }
  if (received.grantsVersion !== overview.grantsVersion) {
    received.grantsVersion = overview.grantsVersion;
    news.push(toFrame({ type: "grants_changed" }));
  }
  if (received.snoozesVersion !== overview.snoozesVersion) {
    received.snoozesVersion = overview.snoozesVersion;
    news.push(toFrame({ type: "snoozes_changed" }));
  }
  return news;
}

async function* changesOf(
  parts: FollowOverviewParts,
  changes: readonly OverviewChange[],
  isOutdated: () => boolean,
): AsyncIterable<readonly SerializedFrame[]> {
  for (let index = 0; index < changes.length && !isOutdated(); index += CHANGES_AT_ONCE) {
    const page = changes.slice(index, index + CHANGES_AT_ONCE);
    const frames = await Promise.all(page.map((change) => sharedFrame(parts, change)));
    if (!isOutdated()) yield* batchesOf(frames.filter((frame) => frame !== undefined));
  }
}

function sharedFrame(
  parts: FollowOverviewParts,
  change: OverviewChange,
): Promise<SerializedFrame | undefined> {
  if (change.frame) return change.frame;
  const frame = makeFrame(parts, change);
  // The text of an old change may be large; it is not kept for slower followers.
  if (change.kind === "interaction" && !change.interaction) return frame;
  change.frame = frame;
  // The next follower tries again.
  frame.catch(() => (change.frame = undefined));
  return frame;
}

async function makeFrame(
  parts: FollowOverviewParts,
  { kind, id, interaction }: OverviewChange,
): Promise<SerializedFrame | undefined> {
  switch (kind) {
    case "session": {
      const stored = await parts.store.getSession(id);
      return stored
        ? toFrame({ type: "session_changed", session: toSession(parts, stored) })
        : toFrame({ type: "session_deleted", sessionId: id });
    }
    case "interaction": {
      const found = interaction ?? (await parts.store.getInteraction(id))?.interaction;
      // With its session deleted, `session_deleted` says so.
      return found && changeOf(parts, found);
    }
    case "left":
      return toFrame({ type: "interaction_left", interactionId: id });
  }
}

function changeOf(parts: FollowOverviewParts, interaction: Interaction): SerializedFrame {
  return toFrame({
    type: "interaction_changed",
    interaction: withRemaining(interaction, parts.clock.now()),
  });
}

function toFrame(frame: OverviewFrame): SerializedFrame {
  return { json: JSON.stringify(frame) };
}

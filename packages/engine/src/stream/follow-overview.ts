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

/** The newest frames and versions that a follower got. A different object or number means news. */
interface Received {
  counts: SerializedFrame | undefined;
  presence: SerializedFrame | undefined;
  grantsVersion: number;
  snoozesVersion: number;
  sharingVersion: number;
}

/**
 * Yields a snapshot with counts and first pages, then changes, with the counts whenever those have changed: all limited
 * to the caller's sight. A follower that missed too many changes gets a new snapshot. So does a follower with limited
 * sight when a session is given to others. Ends with `closing` when the gateway closes.
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
    /** The people who see some session have changed, so data read before may no longer be meant for this follower. */
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

/** A frame with the person and their role, if an issuer has signed them in. The owner may do everything. */
function toPersonFrames(caller: Caller): SerializedFrame[] {
  return caller.personId === undefined ? [] : [toFrame({ type: "person", ...toPerson(caller) })];
}

/**
 * Counts, presence, grants and snoozes, if they have changed. A follower with limited sight gets only their own
 * clients. Sent in every round, because a busy gateway always has other changes as well.
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
  // The text of an old change may be large, so it is not kept for slower followers.
  if (change.kind === "interaction" && !change.interaction) return frame;
  change.frame = frame;
  // Lets the next follower try again.
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
      // If its session was deleted, `session_deleted` reports that.
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

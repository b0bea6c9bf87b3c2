import type {
  Caller,
  FollowOptions,
  Interaction,
  OverviewFrame,
  SerializedFrame,
} from "@holdpoint/protocol";

import { withRemaining } from "../interaction/create-interaction.ts";
import { toPerson } from "../lib/to-person.ts";
import type { Presence } from "../presence/presence.ts";
import { toSession } from "../session/stored-session.ts";
import { batchesOf } from "./frame-batches.ts";
import type { OverviewChange } from "./overview-feed.ts";
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
}

/**
 * A snapshot with counts and first pages, then what changes, each time with the counts if they are others. A follower
 * that missed too many changes gets a new snapshot. Ends with `closing` when the gateway closes.
 */
export async function* followOverview(
  parts: FollowOverviewParts,
  caller: Caller,
  { signal }: FollowOptions,
): AsyncGenerator<readonly SerializedFrame[], void> {
  const { overview } = parts;
  overview.addFollower();
  try {
    let version: number | undefined;
    const received: Received = {
      counts: undefined,
      presence: undefined,
      grantsVersion: overview.grantsVersion,
      snoozesVersion: overview.snoozesVersion,
    };
    while (!signal.aborted) {
      const waitFrom = overview.changes.version;
      if (overview.ended) {
        yield [toFrame({ type: "closing", reason: "draining" })];
        return;
      }
      const changes = version === undefined ? undefined : overview.since(version);
      version = overview.version;
      if (changes) {
        yield* changesOf(parts, changes);
      } else {
        const { frame, countsFrame } = await overviewSnapshot(parts);
        received.counts = countsFrame;
        yield [...toPersonFrames(caller), frame];
      }
      const news = newsOf(parts, received);
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

/** Counts, presence, grants and what is put off, if they changed. Sent in every round: a busy gateway always has other changes as well. */
function newsOf(
  { overview, presence }: FollowOverviewParts,
  received: Received,
): SerializedFrame[] {
  const news: SerializedFrame[] = [];
  if (received.counts !== overview.countsFrame) {
    received.counts = overview.countsFrame;
    news.push(received.counts);
  }
  if (received.presence !== presence.frame) {
    received.presence = presence.frame;
    news.push(received.presence);
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
): AsyncIterable<readonly SerializedFrame[]> {
  for (let index = 0; index < changes.length; index += CHANGES_AT_ONCE) {
    const page = changes.slice(index, index + CHANGES_AT_ONCE);
    const frames = await Promise.all(page.map((change) => sharedFrame(parts, change)));
    yield* batchesOf(frames.filter((frame) => frame !== undefined));
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

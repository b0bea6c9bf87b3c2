import {
  type FollowOptions,
  type Interaction,
  type InteractionStatus,
  isAnswerable,
  type OverviewFrame,
  type SerializedFrame,
} from "@holdpoint/protocol";

import type { Core } from "../gateway/core.ts";
import { withRemaining } from "../interaction/create-interaction.ts";
import { toSession } from "../session/stored-session.ts";
import { batchesOf, MAX_BATCH_UNITS } from "./frame-batches.ts";
import type { OverviewChange } from "./overview.ts";

const pageSize = 50;
const maxSessions = 1000;
const answerable: readonly InteractionStatus[] = ["pending", "expired", "orphaned"];

/**
 * A snapshot of all sessions (the newest 1,000) and of what can be answered, then what changes. What does not fit into
 * one frame of the snapshot follows it as changes. Ends with `closing` when the gateway closes.
 */
export async function* followOverview(
  core: Core,
  { signal }: FollowOptions,
): AsyncIterable<readonly SerializedFrame[]> {
  const { overview } = core;
  overview.followers += 1;
  try {
    let version: number | undefined;
    let presence: SerializedFrame | undefined;
    let { grantsVersion } = overview;
    while (!signal.aborted) {
      const waitFrom = overview.changes.version;
      if (overview.ended) {
        yield [toFrame({ type: "closing", reason: "draining" })];
        return;
      }
      const changes = version === undefined ? undefined : overview.since(version);
      version = overview.version;
      if (!changes) {
        yield* snapshot(core);
      } else if (changes.length > 0) {
        yield* changesOf(core, changes);
      } else if (presence !== core.presence.frame) {
        presence = core.presence.frame;
        yield [presence];
      } else if (grantsVersion !== overview.grantsVersion) {
        grantsVersion = overview.grantsVersion;
        yield [toFrame({ type: "grants_changed" })];
      } else {
        await overview.changes.wait(waitFrom, { signal });
      }
    }
  } finally {
    overview.followers -= 1;
  }
}

async function* snapshot(core: Core): AsyncIterable<readonly SerializedFrame[]> {
  const sessions = await newestSessions(core);
  const first: Interaction[] = [];
  let units = 0;
  let isSent = false;
  const send = () => {
    isSent = true;
    const { epoch } = core.store;
    return [toFrame({ type: "snapshot", epoch, sessions, interactions: first })];
  };
  for (let cursor: string | undefined; ;) {
    const page = await core.store.listInteractions({
      statuses: answerable,
      limit: pageSize,
      ...(cursor !== undefined && { cursor }),
    });
    const shown = page.items.map((stored) => stored.interaction).filter(isAnswerable);
    const frames = shown.map((interaction) => ({
      interaction,
      frame: changeOf(core, interaction),
    }));
    const late: SerializedFrame[] = [];
    for (const { interaction, frame } of frames) {
      units += frame.json.length;
      if (units <= MAX_BATCH_UNITS) first.push(withRemaining(interaction, core.clock.now()));
      else late.push(frame);
    }
    if (!isSent && (late.length > 0 || page.nextCursor === undefined)) yield send();
    yield* batchesOf(late);
    cursor = page.nextCursor;
    if (cursor === undefined) return;
  }
}

async function newestSessions(core: Core) {
  const { items } = await core.store.listSessions({ limit: maxSessions });
  return items.map((stored) => toSession(core, stored));
}

async function* changesOf(
  core: Core,
  changes: readonly OverviewChange[],
): AsyncIterable<readonly SerializedFrame[]> {
  for (let index = 0; index < changes.length; index += pageSize) {
    const page = changes.slice(index, index + pageSize);
    const frames = await Promise.all(page.map((change) => sharedFrame(core, change)));
    yield* batchesOf(frames.filter((frame) => frame !== undefined));
  }
}

function sharedFrame(core: Core, change: OverviewChange): Promise<SerializedFrame | undefined> {
  if (change.frame) return change.frame;
  const frame = makeFrame(core, change);
  // An old and maybe large one is not kept for those who are even slower.
  if (change.kind === "interaction" && !change.interaction) return frame;
  change.frame = frame;
  // The next follower tries again.
  frame.catch(() => (change.frame = undefined));
  return frame;
}

async function makeFrame(
  core: Core,
  { kind, id, interaction }: OverviewChange,
): Promise<SerializedFrame | undefined> {
  switch (kind) {
    case "session": {
      const stored = await core.store.getSession(id);
      return stored
        ? toFrame({ type: "session_changed", session: toSession(core, stored) })
        : toFrame({ type: "session_deleted", sessionId: id });
    }
    case "interaction": {
      const found = interaction ?? (await core.store.getInteraction(id))?.interaction;
      // With its session deleted, `session_deleted` says so.
      return found && changeOf(core, found);
    }
  }
}

function changeOf(core: Core, interaction: Interaction): SerializedFrame {
  return toFrame({
    type: "interaction_changed",
    interaction: withRemaining(interaction, core.clock.now()),
  });
}

function toFrame(frame: OverviewFrame): SerializedFrame {
  return { json: JSON.stringify(frame) };
}

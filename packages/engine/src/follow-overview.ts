import type {
  FollowOptions,
  Interaction,
  InteractionStatus,
  OverviewFrame,
  SerializedFrame,
} from "@holdpoint/protocol";

import type { Core } from "./core.ts";
import { withRemaining } from "./create-interaction.ts";
import { batchesOf, maxBatchUnits } from "./frame-batches.ts";
import { isAnswerable } from "./interaction-state.ts";
import { toSession } from "./session-status.ts";

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
    while (!signal.aborted) {
      const waitFrom = overview.changes.version;
      if (overview.ended) {
        yield [toFrame({ type: "closing", reason: "draining" })];
        return;
      }
      const changes = version === undefined ? undefined : overview.since(version);
      if (!changes) {
        version = overview.version;
        yield* snapshot(core);
        continue;
      }
      const changed = changes.version !== version;
      version = changes.version;
      if (changed) yield* changesOf(core, changes);
      if (presence !== core.presence.frame) {
        presence = core.presence.frame;
        yield [presence];
      } else if (!changed) {
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
      if (units <= maxBatchUnits) first.push(withRemaining(interaction, core.clock.now()));
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
  changes: { readonly sessionIds: readonly string[]; readonly interactionIds: readonly string[] },
): AsyncIterable<readonly SerializedFrame[]> {
  const loads = [
    ...changes.sessionIds.map((id) => () => sessionFrame(core, id)),
    ...changes.interactionIds.map((id) => () => interactionFrame(core, id)),
  ];
  for (let index = 0; index < loads.length; index += pageSize) {
    const frames = await Promise.all(loads.slice(index, index + pageSize).map((load) => load()));
    yield* batchesOf(frames.filter((frame) => frame !== undefined));
  }
}

async function sessionFrame(core: Core, sessionId: string): Promise<SerializedFrame> {
  const stored = await core.store.getSession(sessionId);
  return stored
    ? toFrame({ type: "session_changed", session: toSession(core, stored) })
    : toFrame({ type: "session_deleted", sessionId });
}

async function interactionFrame(
  core: Core,
  interactionId: string,
): Promise<SerializedFrame | undefined> {
  const stored = await core.store.getInteraction(interactionId);
  // With its session deleted, `session_deleted` says so.
  return stored && changeOf(core, stored.interaction);
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

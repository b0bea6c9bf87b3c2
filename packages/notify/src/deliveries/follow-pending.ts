import type { Clock } from "@holdpoint/engine";
import {
  addedTo,
  type Caller,
  type GatewayApi,
  type HandOver,
  type Interaction,
  type InteractionKind,
  namedIn,
  type OverviewFrame,
  pagesOf,
  type Seen,
  type SerializedFrame,
  withoutComments,
} from "@holdpoint/protocol";

const PAGE_SIZE = 50;
const AGAIN_MS = 1000;

/** The read-only caller that notifications use to read the gateway. */
export const READER: Caller = {
  principal: "person",
  person: "owner",
  client: "notifications",
  scope: "read",
};

/** The parts of a pending interaction that decide who is notified. */
export interface Asked extends Pick<
  Interaction,
  "notes" | "responders" | "startedAt" | "votes" | "votesGiven"
> {
  readonly interactionId: string;
  readonly sessionId: string;
  /** The people who can see its session. Absent: everyone. */
  readonly seenBy?: Seen["seenBy"];
  /** The people and groups named by `responders`. */
  readonly named?: Seen["named"];
  readonly kind: InteractionKind;
  readonly startedAtMs: number;
}

/** The people to remind: those named by a reassignment, or everyone who can answer. */
export interface Reminder {
  readonly handedTo?: HandOver["to"];
}

export type FollowedGateway = Pick<GatewayApi, "followOverview" | "listInteractions"> & {
  seenByOf(sessionId: string): Seen["seenBy"];
};

interface FollowPendingOptions {
  readonly gateway: FollowedGateway;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The pending interactions by id. `followPending` keeps this map up to date. */
  readonly pending: Map<string, Asked>;
  readonly onAsked: (asked: Asked) => void;
  /** Called after a vote that leaves further votes necessary, and after a reassignment. */
  readonly onVoted: (asked: Asked) => void;
  /** Called when responders should be notified again: a person asked for it, or reassigned the interaction to them. */
  readonly onReminded: (asked: Asked, of: Reminder) => void;
  readonly onSettled: (asked: Asked) => void;
  /** Called for each interaction that turns out not to be pending, even if it was never in `pending`. */
  readonly onOver: (interactionId: string) => void;
  /** Called when `pending` is complete. */
  readonly onWhole: () => void;
  readonly onError: (error: unknown) => void;
}

/** Follows pending interactions like a client until the signal aborts, and reopens broken streams. Never rejects. */
export async function followPending(options: FollowPendingOptions): Promise<void> {
  const { gateway, clock, signal, onError } = options;
  while (!signal.aborted) {
    try {
      for await (const batch of gateway.followOverview(READER, { signal })) {
        await takeBatch(options, batch);
      }
    } catch (error: unknown) {
      if (!signal.aborted) onError(error);
    }
    await clock.sleep(AGAIN_MS, { signal }).catch(() => undefined);
  }
}

async function takeBatch(
  options: FollowPendingOptions,
  batch: readonly SerializedFrame[],
): Promise<void> {
  for (const { json } of batch) await take(options, JSON.parse(json) as OverviewFrame);
}

async function take(options: FollowPendingOptions, frame: OverviewFrame): Promise<void> {
  switch (frame.type) {
    case "snapshot":
      return takeAll(options);
    case "interaction_changed":
      return takeOne(options, frame.interaction);
    case "session_deleted":
      for (const asked of options.pending.values()) {
        if (asked.sessionId === frame.sessionId) drop(options, asked.interactionId);
      }
      return undefined;
    // An interaction that leaves has not been pending for a long time.
    case "interaction_left":
    case "counts_changed":
    case "session_changed":
    case "grants_changed":
    case "snoozes_changed":
    case "person":
    case "presence":
    case "ping":
    case "closing":
      return undefined;
  }
}

/** Reads all pending interactions. The snapshot has only the first ones, and nothing about earlier settled ones. */
async function takeAll(options: FollowPendingOptions): Promise<void> {
  const { gateway, pending, signal, onWhole } = options;
  const found = new Set<string>();
  const query = { status: ["pending" as const], limit: PAGE_SIZE };
  for await (const { items } of pagesOf((start) => {
    signal.throwIfAborted();
    return gateway.listInteractions(READER, { ...query, ...start });
  })) {
    for (const interaction of items) {
      found.add(interaction.interactionId);
      takeOne(options, interaction);
    }
  }
  for (const interactionId of pending.keys()) {
    if (!found.has(interactionId)) drop(options, interactionId);
  }
  onWhole();
}

function takeOne(options: FollowPendingOptions, interaction: Interaction): void {
  const { interactionId, sessionId, kind, status, startedAt } = interaction;
  const { responders, votes, votesGiven, notes } = interaction;
  if (status !== "pending") {
    options.onOver(interactionId);
    return drop(options, interactionId);
  }
  const known = options.pending.get(interactionId);
  if (known && addedTo(known) === addedTo(interaction)) return;
  const asked = {
    interactionId,
    sessionId,
    kind,
    startedAt,
    startedAtMs: Date.parse(startedAt),
    seenBy: options.gateway.seenByOf(sessionId),
    ...(responders && { responders, votes, votesGiven, named: namedIn(responders) }),
    ...(notes && { notes: withoutComments(notes) }),
  };
  options.pending.set(interactionId, asked);
  if (known) tellChange(options, asked, known);
  else options.onAsked(asked);
}

/** Reports new votes, reassignments and reminders. A comment alone is no reason to look at a phone. */
function tellChange(
  { onVoted, onReminded }: FollowPendingOptions,
  asked: Asked,
  known: Asked,
): void {
  const [now, before] = [countsOf(asked), countsOf(known)];
  const handed = asked.notes?.handOvers?.slice(before.handOvers) ?? [];
  if (now.votes !== before.votes || handed.length > 0) onVoted(asked);
  for (const { to } of handed) onReminded(asked, { handedTo: to });
  if (now.reminders !== before.reminders) onReminded(asked, {});
}

function countsOf({
  votesGiven: votes = 0,
  notes: { handOvers = [], reminded } = { given: 0 },
}: Asked) {
  return { votes, handOvers: handOvers.length, reminders: reminded?.times ?? 0 };
}

function drop({ pending, onSettled }: FollowPendingOptions, interactionId: string): void {
  const asked = pending.get(interactionId);
  if (asked === undefined) return;
  pending.delete(interactionId);
  onSettled(asked);
}

import {
  type Interaction,
  isAnswerable,
  type OverviewFrame,
  type Session,
} from "@holdpoint/protocol";

export type Presence = Omit<Extract<OverviewFrame, { type: "presence" }>, "type">;

/** All sessions of a gateway and all that waits in them. Immutable: whatever did not change keeps its identity. */
export interface Overview {
  readonly epoch?: string;
  /** Newest activity first. */
  readonly sessions: readonly Session[];
  /** What can be answered, oldest first. */
  readonly waiting: readonly Interaction[];
  readonly presence?: Presence;
  /** Another number whenever grants may have changed: read them again. */
  readonly grantsVersion: number;
}

export const EMPTY_OVERVIEW: Overview = { sessions: [], waiting: [], grantsVersion: 0 };

/** The overview after these frames. A frame of a type that is not known yet is ignored. */
export function applyOverviewFrames(
  overview: Overview,
  frames: readonly OverviewFrame[],
): Overview {
  return frames.reduce(foldFrame, overview);
}

function foldFrame(overview: Overview, frame: OverviewFrame): Overview {
  switch (frame.type) {
    case "snapshot": {
      const { epoch, sessions, interactions } = frame;
      return {
        ...overview,
        epoch,
        sessions: sessions.toSorted(byActivity),
        waiting: interactions.filter(isAnswerable).toSorted(byAge),
        grantsVersion: overview.grantsVersion + 1,
      };
    }
    case "session_changed": {
      const { session } = frame;
      const others = overview.sessions.filter(({ sessionId }) => sessionId !== session.sessionId);
      return { ...overview, sessions: [...others, session].toSorted(byActivity) };
    }
    case "session_deleted": {
      const isOther = ({ sessionId }: { sessionId: string }): boolean =>
        sessionId !== frame.sessionId;
      const { sessions, waiting } = overview;
      return { ...overview, sessions: sessions.filter(isOther), waiting: waiting.filter(isOther) };
    }
    case "interaction_changed": {
      const { interaction } = frame;
      const others = overview.waiting.filter((other) => !isSame(other, interaction));
      const waiting = isAnswerable(interaction) ? [...others, interaction].toSorted(byAge) : others;
      return { ...overview, waiting };
    }
    case "grants_changed":
      return { ...overview, grantsVersion: overview.grantsVersion + 1 };
    case "presence": {
      const { clients, answerable } = frame;
      return { ...overview, presence: { clients, answerable } };
    }
    case "ping":
    case "closing":
      return overview;
    default:
      return overview;
  }
}

export interface SessionGroups {
  /** Somebody is to answer something in them. */
  readonly waiting: readonly Session[];
  /** A turn runs in them. */
  readonly working: readonly Session[];
  readonly earlier: readonly Session[];
}

/** The sessions by what they need, each group in the order of the overview. */
export function groupSessions({ sessions, waiting }: Overview): SessionGroups {
  const awaited = new Set(waiting.map(({ sessionId }) => sessionId));
  const groups = { waiting: [] as Session[], working: [] as Session[], earlier: [] as Session[] };
  for (const session of sessions) {
    if (awaited.has(session.sessionId) || session.status === "waiting")
      groups.waiting.push(session);
    else if (session.status === "running") groups.working.push(session);
    else groups.earlier.push(session);
  }
  return groups;
}

function isSame(one: Interaction, other: Interaction): boolean {
  return one.interactionId === other.interactionId;
}

function byActivity(one: Session, other: Session): number {
  return compare(other.updatedAt, one.updatedAt) || compare(one.sessionId, other.sessionId);
}

function byAge(one: Interaction, other: Interaction): number {
  return compare(one.startedAt, other.startedAt) || compare(one.interactionId, other.interactionId);
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

import {
  type Interaction,
  isAnswerable,
  type OverviewCounts,
  type OverviewFrame,
  type Person,
  type Session,
} from "@holdpoint/protocol";

export type Presence = Omit<Extract<OverviewFrame, { type: "presence" }>, "type">;

/** The lists of an overview, each loaded page by page. */
export const OVERVIEW_LISTS = ["sessions", "pending", "late"] as const;
export type OverviewList = (typeof OVERVIEW_LISTS)[number];

/** The sessions of a gateway and its interactions that can be answered. Immutable: what did not change keeps its identity. */
export interface Overview {
  readonly epoch?: string;
  /** How many there are in all, loaded or not. */
  readonly counts: OverviewCounts;
  /** Those that are loaded, newest activity first. */
  readonly sessions: readonly Session[];
  /** Those that are loaded and can be answered, pending or late, oldest first. */
  readonly waiting: readonly Interaction[];
  /** Where the next page of each list begins; undefined: at the list's own beginning. */
  readonly cursors: Readonly<Record<OverviewList, string | undefined>>;
  /** Another number whenever rows came or went because they were loaded, not because something happened. */
  readonly loads: number;
  readonly presence?: Presence;
  /** Whom an issuer has signed in. Absent for the gateway's owner. */
  readonly person?: Person;
  /** Another number whenever grants may have changed: read them again. */
  readonly grantsVersion: number;
  /** The same for what the person has put off. */
  readonly snoozesVersion: number;
}

export const EMPTY_OVERVIEW: Overview = {
  counts: { pending: 0, late: 0, sessions: 0, waitingSessions: 0, workingSessions: 0 },
  sessions: [],
  waiting: [],
  cursors: { sessions: undefined, pending: undefined, late: undefined },
  loads: 0,
  grantsVersion: 0,
  snoozesVersion: 0,
};

/** The overview after these frames. A frame of a type that is not known yet is ignored. */
export function applyOverviewFrames(
  overview: Overview,
  frames: readonly OverviewFrame[],
): Overview {
  return frames.reduce(foldFrame, overview);
}

/** How many rows of a list are loaded. */
export function countLoaded({ sessions, waiting }: Overview, list: OverviewList): number {
  if (list === "sessions") return sessions.filter(({ archivedAt }) => !archivedAt).length;
  return waiting.filter(({ status }) => (status === "pending") === (list === "pending")).length;
}

/** How many rows of a list are not loaded. */
export function countUnloaded(overview: Overview, list: OverviewList): number {
  return Math.max(0, overview.counts[list] - countLoaded(overview, list));
}

type SnapshotFrame = Extract<OverviewFrame, { type: "snapshot" }>;

function beginAnew(overview: Overview, frame: SnapshotFrame): Overview {
  const { epoch, counts, sessions, pending, late } = frame;
  return {
    ...overview,
    epoch,
    counts,
    sessions: sessions.items.toSorted(byActivity),
    waiting: [...pending.items, ...late.items].filter(isAnswerable).toSorted(byAge),
    cursors: {
      sessions: sessions.nextCursor,
      pending: pending.nextCursor,
      late: late.nextCursor,
    },
    loads: overview.loads + 1,
    grantsVersion: overview.grantsVersion + 1,
    snoozesVersion: overview.snoozesVersion + 1,
  };
}

function foldFrame(overview: Overview, frame: OverviewFrame): Overview {
  switch (frame.type) {
    case "snapshot":
      return beginAnew(overview, frame);
    case "counts_changed":
      return { ...overview, counts: frame.counts };
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
    case "interaction_left": {
      const { interactionId } = frame;
      const waiting = overview.waiting.filter((other) => other.interactionId !== interactionId);
      // Nothing has happened to it.
      return { ...overview, waiting, loads: overview.loads + 1 };
    }
    case "grants_changed":
      return { ...overview, grantsVersion: overview.grantsVersion + 1 };
    case "snoozes_changed":
      return { ...overview, snoozesVersion: overview.snoozesVersion + 1 };
    case "person": {
      const { type: _, ...person } = frame;
      return { ...overview, person };
    }
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

/** The loaded sessions by what they need, each group in the order of the overview. Archived ones only while they need something. */
export function groupSessions(sessions: readonly Session[]): SessionGroups {
  const groups = { waiting: [] as Session[], working: [] as Session[], earlier: [] as Session[] };
  for (const session of sessions) {
    const group = groupOf(session);
    if (!session.archivedAt || group !== "earlier") groups[group].push(session);
  }
  return groups;
}

/** How many interactions the person can answer, in time or late: what every count of a page says. */
export function countAnswerable({ pending, late, forOthers = 0 }: OverviewCounts): number {
  return pending + late - forOthers;
}

/** Whether a person can answer something in the session. */
export function isAwaited({
  hasPending,
  hasLate,
}: Pick<Session, "hasPending" | "hasLate">): boolean {
  return hasPending === true || hasLate === true;
}

function groupOf(session: Session): keyof SessionGroups {
  const { status } = session;
  if (isAwaited(session) || status === "waiting") return "waiting";
  return status === "running" ? "working" : "earlier";
}

function isSame(one: Interaction, other: Interaction): boolean {
  return one.interactionId === other.interactionId;
}

/** Newest activity first. */
export function byActivity(one: Session, other: Session): number {
  return compare(other.updatedAt, one.updatedAt) || compare(one.sessionId, other.sessionId);
}

/** Oldest first. */
export function byAge(one: Interaction, other: Interaction): number {
  return compare(one.startedAt, other.startedAt) || compare(one.interactionId, other.interactionId);
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

import {
  type Interaction,
  isAnswerable,
  type OverviewCounts,
  type OverviewFrame,
  type Person,
  type Session,
} from "@holdpoint/protocol";

export type Presence = Omit<Extract<OverviewFrame, { type: "presence" }>, "type">;

/** The lists of an overview. Each is loaded page by page. */
export const OVERVIEW_LISTS = ["sessions", "pending", "late"] as const;
export type OverviewList = (typeof OVERVIEW_LISTS)[number];

/** The sessions and answerable interactions of a gateway. Immutable: unchanged parts keep their identity. */
export interface Overview {
  readonly epoch?: string;
  /** The total counts, including rows that are not loaded. */
  readonly counts: OverviewCounts;
  /** The loaded sessions, newest activity first. */
  readonly sessions: readonly Session[];
  /** The loaded interactions that can be answered, pending or late, oldest first. */
  readonly waiting: readonly Interaction[];
  /** The cursor of each list's next page. `undefined`: the beginning of the list. */
  readonly cursors: Readonly<Record<OverviewList, string | undefined>>;
  /** Changes whenever rows are added or removed by loading, not by an event. */
  readonly loads: number;
  readonly presence?: Presence;
  /** The person signed in through an issuer. Absent for the gateway's owner. */
  readonly person?: Person;
  /** Changes whenever grants may have changed and should be read again. */
  readonly grantsVersion: number;
  /** Changes whenever the person's snoozes may have changed and should be read again. */
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

/** Returns the overview after these frames. Ignores frames of unknown types. */
export function applyOverviewFrames(
  overview: Overview,
  frames: readonly OverviewFrame[],
): Overview {
  return frames.reduce(foldFrame, overview);
}

/** Returns how many rows of a list are loaded. */
export function countLoaded({ sessions, waiting }: Overview, list: OverviewList): number {
  if (list === "sessions") return sessions.filter(({ archivedAt }) => !archivedAt).length;
  return waiting.filter(({ status }) => (status === "pending") === (list === "pending")).length;
}

/** Returns how many rows of a list are not loaded. */
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
      // The interaction itself has not changed.
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
  /** Sessions that wait for someone's answer. */
  readonly waiting: readonly Session[];
  /** Sessions with a running turn. */
  readonly working: readonly Session[];
  readonly earlier: readonly Session[];
}

/** Groups the loaded sessions, keeping their order. Includes archived ones only while they are waiting or working. */
export function groupSessions(sessions: readonly Session[]): SessionGroups {
  const groups = { waiting: [] as Session[], working: [] as Session[], earlier: [] as Session[] };
  for (const session of sessions) {
    const group = groupOf(session);
    if (!session.archivedAt || group !== "earlier") groups[group].push(session);
  }
  return groups;
}

/** Returns how many interactions the person can answer, in time or late. Use it for every count that a page shows. */
export function countAnswerable({ pending, late, forOthers = 0 }: OverviewCounts): number {
  return pending + late - forOthers;
}

/** Whether the session has an interaction that a person can answer. */
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

/** Orders sessions by activity, newest first. */
export function byActivity(one: Session, other: Session): number {
  return compare(other.updatedAt, one.updatedAt) || compare(one.sessionId, other.sessionId);
}

/** Orders interactions by age, oldest first. */
export function byAge(one: Interaction, other: Interaction): number {
  return compare(one.startedAt, other.startedAt) || compare(one.interactionId, other.interactionId);
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

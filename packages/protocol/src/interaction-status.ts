/** What a status says of an interaction. */
interface StatusFacts {
  /** Whether a person is asked, has answered, or will not be waited for any more. */
  readonly state: "waiting" | "answered" | "closed";
  /** Whether a response is taken: always, or only one that comes late, where the request allows that. */
  readonly answerable: "yes" | "late" | "no";
  /** Whether it stays as it is for ever: nothing is to be asked, delivered or repaired. */
  readonly final: boolean;
  /** How far it has come. Only reopening moves an interaction to a lower rank. */
  readonly rank: number;
}

/** All statuses, and the only list of them: whatever depends on a status asks this table. */
const STATUS_FACTS = {
  pending: { state: "waiting", answerable: "yes", final: false, rank: 0 },
  answered: { state: "answered", answerable: "no", final: false, rank: 2 },
  delivered: { state: "answered", answerable: "no", final: true, rank: 3 },
  expired: { state: "closed", answerable: "late", final: false, rank: 1 },
  withdrawn: { state: "closed", answerable: "no", final: true, rank: 3 },
  orphaned: { state: "closed", answerable: "late", final: false, rank: 1 },
} as const satisfies Readonly<Record<string, StatusFacts>>;

export type InteractionStatus = keyof typeof STATUS_FACTS;

/** All statuses, in the order in which they are listed. */
export const INTERACTION_STATUSES = keysOf(STATUS_FACTS);

/** Statuses in which a response may still be taken: in time, or late. */
export const ANSWERABLE_STATUSES = INTERACTION_STATUSES.filter(
  (status): status is AnswerableStatus => STATUS_FACTS[status].answerable !== "no",
);
export type AnswerableStatus = {
  [TStatus in InteractionStatus]: (typeof STATUS_FACTS)[TStatus]["answerable"] extends "no"
    ? never
    : TStatus;
}[InteractionStatus];

/** Statuses in which only a late response is taken. They leave the overview by their age. */
export const LATE_STATUSES = INTERACTION_STATUSES.filter(
  (status): status is LateStatus => STATUS_FACTS[status].answerable === "late",
);
export type LateStatus = {
  [TStatus in InteractionStatus]: (typeof STATUS_FACTS)[TStatus]["answerable"] extends "late"
    ? TStatus
    : never;
}[InteractionStatus];

/** Statuses in which a turn cannot end yet: a person is asked, or the agent has not taken the response. */
export const OUTSTANDING_STATUSES: readonly InteractionStatus[] = INTERACTION_STATUSES.filter(
  (status) => STATUS_FACTS[status].state !== "closed" && !isFinal(status),
);

/** Statuses in which the wait has ended without a response. */
export const CLOSED_STATUSES = INTERACTION_STATUSES.filter(
  (status): status is StatusIn<"closed"> => STATUS_FACTS[status].state === "closed",
);
export type ClosedStatus = StatusIn<"closed">;

type StatusIn<TState extends StatusFacts["state"]> = {
  [TStatus in InteractionStatus]: (typeof STATUS_FACTS)[TStatus]["state"] extends TState
    ? TStatus
    : never;
}[InteractionStatus];

/** Whether an interaction with this status stays as it is for ever. */
export function isFinal(status: InteractionStatus): boolean {
  return STATUS_FACTS[status].final;
}

/** Whether a person has answered an interaction with this status. */
export function isAnswered(status: InteractionStatus): status is StatusIn<"answered"> {
  return STATUS_FACTS[status].state === "answered";
}

/** What an open interaction means to the agent that asked. */
export const HOLDS = ["held", "parked", "queued", "kept"] as const;
export type InteractionHold = (typeof HOLDS)[number];

interface StatusAndHold {
  readonly status: InteractionStatus;
  readonly hold: InteractionHold;
}

/** How far an interaction has come. */
interface Progress extends StatusAndHold {
  readonly holdChanges?: number | undefined;
  readonly reopenings?: number | undefined;
  readonly votesGiven?: number | undefined;
  readonly notes?: { readonly given: number } | undefined;
  readonly how?: string | undefined;
}

interface StatusAndPolicy {
  readonly status: InteractionStatus;
  readonly onTimeout: "wait" | "deny" | "handler";
}

/** Whether it is pending though its agent has continued: the response will reach the agent as a new message. */
export function isQueued({ status, hold }: StatusAndHold): boolean {
  return status === "pending" && hold === "queued";
}

/** Whether it is a program's ask: its response is kept until the program fetches it, and goes nowhere by itself. */
export function isKept({ hold }: Pick<StatusAndHold, "hold">): boolean {
  return hold === "kept";
}

/** Whether a tool call or a program waits for it. Its agent may be parked. */
export function isHolding(interaction: StatusAndHold): boolean {
  return interaction.status === "pending" && !isQueued(interaction);
}

/** Whether its agent has been ended, and the answer starts it again at the tool call that asked. */
export function isParked({ status, hold }: StatusAndHold): boolean {
  return status === "pending" && hold === "parked";
}

/** Whether it was answered while it was parked, and its agent has not asked for the answer yet. */
export function isResuming({ status, hold }: StatusAndHold): boolean {
  return status === "answered" && hold === "parked";
}

/** Whether a response that comes after the end of the wait still reaches the agent. */
export function takesLateAnswer({ onTimeout }: Pick<StatusAndPolicy, "onTimeout">): boolean {
  return onTimeout === "wait";
}

/** Whether its wait is over and only a late response can be taken, where its request allows that. */
export function isLate(status: InteractionStatus): status is LateStatus {
  return STATUS_FACTS[status].answerable === "late";
}

/** Whether a response is taken now: in time, or late. */
export function isAnswerable(interaction: StatusAndPolicy): boolean {
  const { answerable } = STATUS_FACTS[interaction.status];
  return answerable === "yes" || (answerable === "late" && takesLateAnswer(interaction));
}

/** Of two records of one interaction: whether the first has come further. */
export function isAhead(one: Progress, other: Progress): boolean {
  const reopened = (one.reopenings ?? 0) - (other.reopenings ?? 0);
  if (reopened !== 0) return reopened > 0;
  const difference = STATUS_FACTS[one.status].rank - STATUS_FACTS[other.status].rank;
  if (difference !== 0) return difference > 0;
  const holds = holdChangesOf(one) - holdChangesOf(other);
  if (holds !== 0) return holds > 0;
  const added = addedTo(one) - addedTo(other);
  return added === 0 ? one.how === "overruled" && other.how !== "overruled" : added > 0;
}

/** How much people have added to it, as votes and notes, while it stayed what it was. */
export function addedTo({ votesGiven = 0, notes }: Pick<Progress, "votesGiven" | "notes">): number {
  return votesGiven + (notes?.given ?? 0);
}

/** How often the hold has changed. Records of before this was counted could change it once. */
export function holdChangesOf({ hold, holdChanges }: Omit<Progress, "status">): number {
  return holdChanges ?? (hold === "held" ? 0 : 1);
}

function keysOf<TKey extends string>(record: Readonly<Record<TKey, unknown>>): readonly TKey[] {
  return Object.keys(record) as TKey[];
}

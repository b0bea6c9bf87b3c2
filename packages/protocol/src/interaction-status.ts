interface StatusFacts {
  /** Whether a person is being asked, has answered, or is no longer needed. */
  readonly state: "waiting" | "answered" | "closed";
  /** Whether a response is accepted. `late`: only a late one, and only if the request allows it. */
  readonly answerable: "yes" | "late" | "no";
  /** Whether the status is final: nothing is left to ask, deliver or repair. */
  readonly final: boolean;
  /** The progress of the interaction. Only reopening leads to a lower rank. */
  readonly rank: number;
}

/** The only list of statuses. Everything that depends on a status uses this table. */
const STATUS_FACTS = {
  pending: { state: "waiting", answerable: "yes", final: false, rank: 0 },
  answered: { state: "answered", answerable: "no", final: false, rank: 2 },
  delivered: { state: "answered", answerable: "no", final: true, rank: 3 },
  expired: { state: "closed", answerable: "late", final: false, rank: 1 },
  withdrawn: { state: "closed", answerable: "no", final: true, rank: 3 },
  orphaned: { state: "closed", answerable: "late", final: false, rank: 1 },
} as const satisfies Readonly<Record<string, StatusFacts>>;

export type InteractionStatus = keyof typeof STATUS_FACTS;

/** All statuses, in display order. */
export const INTERACTION_STATUSES = keysOf(STATUS_FACTS);

/** Statuses that may accept a response, in time or late. */
export const ANSWERABLE_STATUSES = INTERACTION_STATUSES.filter(
  (status): status is AnswerableStatus => STATUS_FACTS[status].answerable !== "no",
);
export type AnswerableStatus = {
  [TStatus in InteractionStatus]: (typeof STATUS_FACTS)[TStatus]["answerable"] extends "no"
    ? never
    : TStatus;
}[InteractionStatus];

/** Statuses that only accept a late response. Such interactions leave the overview when they are old. */
export const LATE_STATUSES = INTERACTION_STATUSES.filter(
  (status): status is LateStatus => STATUS_FACTS[status].answerable === "late",
);
export type LateStatus = {
  [TStatus in InteractionStatus]: (typeof STATUS_FACTS)[TStatus]["answerable"] extends "late"
    ? TStatus
    : never;
}[InteractionStatus];

/** Statuses that keep a turn from ending: a person is being asked, or the agent has not received the response. */
export const OUTSTANDING_STATUSES: readonly InteractionStatus[] = INTERACTION_STATUSES.filter(
  (status) => STATUS_FACTS[status].state !== "closed" && !isFinal(status),
);

/** Statuses whose wait has ended without a response. */
export const CLOSED_STATUSES = INTERACTION_STATUSES.filter(
  (status): status is StatusIn<"closed"> => STATUS_FACTS[status].state === "closed",
);
export type ClosedStatus = StatusIn<"closed">;

type StatusIn<TState extends StatusFacts["state"]> = {
  [TStatus in InteractionStatus]: (typeof STATUS_FACTS)[TStatus]["state"] extends TState
    ? TStatus
    : never;
}[InteractionStatus];

/** Whether an interaction with this status never changes again. */
export function isFinal(status: InteractionStatus): boolean {
  return STATUS_FACTS[status].final;
}

/** Whether a person has answered an interaction with this status. */
export function isAnswered(status: InteractionStatus): status is StatusIn<"answered"> {
  return STATUS_FACTS[status].state === "answered";
}

/** How an open interaction affects the agent that asked. */
export const HOLDS = ["held", "parked", "queued", "kept"] as const;
export type InteractionHold = (typeof HOLDS)[number];

interface StatusAndHold {
  readonly status: InteractionStatus;
  readonly hold: InteractionHold;
}

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

/** Whether it is pending although its agent has continued. The response will reach the agent as a new message. */
export function isQueued({ status, hold }: StatusAndHold): boolean {
  return status === "pending" && hold === "queued";
}

/** Whether it is a program's ask. Its response is kept until the program fetches it. */
export function isKept({ hold }: Pick<StatusAndHold, "hold">): boolean {
  return hold === "kept";
}

/** Whether a tool call or a program waits for it. Its agent may be parked. */
export function isHolding(interaction: StatusAndHold): boolean {
  return interaction.status === "pending" && !isQueued(interaction);
}

/** Whether its agent was ended. The response starts the agent again at the tool call that asked. */
export function isParked({ status, hold }: StatusAndHold): boolean {
  return status === "pending" && hold === "parked";
}

/** Whether it was answered while parked, and its agent has not fetched the response yet. */
export function isResuming({ status, hold }: StatusAndHold): boolean {
  return status === "answered" && hold === "parked";
}

/** Whether a response that comes after the end of the wait still reaches the agent. */
export function takesLateAnswer({ onTimeout }: Pick<StatusAndPolicy, "onTimeout">): boolean {
  return onTimeout === "wait";
}

/** Whether the wait is over and only a late response can be accepted, if the request allows it. */
export function isLate(status: InteractionStatus): status is LateStatus {
  return STATUS_FACTS[status].answerable === "late";
}

/** Whether a response is accepted now, in time or late. */
export function isAnswerable(interaction: StatusAndPolicy): boolean {
  const { answerable } = STATUS_FACTS[interaction.status];
  return answerable === "yes" || (answerable === "late" && takesLateAnswer(interaction));
}

/** Whether the first of two records of one interaction is further advanced. */
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

/** Returns the number of votes and notes that were added without changing its status. */
export function addedTo({ votesGiven = 0, notes }: Pick<Progress, "votesGiven" | "notes">): number {
  return votesGiven + (notes?.given ?? 0);
}

/** Returns how often the hold has changed. Records without a count could only change it once. */
export function holdChangesOf({ hold, holdChanges }: Omit<Progress, "status">): number {
  return holdChanges ?? (hold === "held" ? 0 : 1);
}

function keysOf<TKey extends string>(record: Readonly<Record<TKey, unknown>>): readonly TKey[] {
  return Object.keys(record) as TKey[];
}

import type { ToolCallItem } from "@holdpoint/client";
import {
  isAnswered,
  isHolding,
  isResuming,
  readTerminalResult,
  type Interaction,
} from "@holdpoint/protocol";

/** How far a tool call has come. */
export type ToolPhase =
  | "asked"
  | "running"
  | "done"
  | "failed"
  | "denied"
  /** It was not allowed in time. */
  | "not_run"
  | "unfinished"
  /** It was allowed, and the agent was lost before it showed that it knew; or somebody decided elsewhere. */
  | "unknown";

/** Where a call stands among the others. */
interface ToolPlace {
  /** The turn that runs now; a call of another turn without a result was cut off. */
  readonly turnId: string | undefined;
  /** A call before it has no result yet: its agent may begin with this one, or ask for it, only then. */
  readonly isBehind: boolean;
}

export function toToolPhase(
  item: ToolCallItem,
  interactions: readonly Interaction[],
  place: ToolPlace,
): ToolPhase {
  if (item.isDenied) return "denied";
  const last = interactions.at(-1);
  return toAskedPhase(interactions) ?? toEndedPhase(item, last) ?? toOpenPhase(item, last, place);
}

/** Of a call that is over; `undefined` where it has no result yet. */
function toEndedPhase(item: ToolCallItem, last: Interaction | undefined): ToolPhase | undefined {
  if (last !== undefined && (isSettledElsewhere(item, last) || isHandedOver(item, last))) {
    return "unknown";
  }
  if (item.result?.isError === false) return "done";
  if (last !== undefined && isUnallowed(last)) return "not_run";
  return item.result && "failed";
}

function toOpenPhase(
  item: ToolCallItem,
  last: Interaction | undefined,
  { turnId, isBehind }: ToolPlace,
): ToolPhase {
  if (turnId === undefined || item.turnId !== turnId) {
    return last?.how === "unknown" ? "unknown" : "unfinished";
  }
  // Nobody has allowed it, and it may still be asked about.
  return last === undefined && (isBehind || item.input === undefined) ? "asked" : "running";
}

/** What is known before it can have run. */
function toAskedPhase(interactions: readonly Interaction[]): "asked" | "denied" | undefined {
  if (interactions.some(isHolding)) return "asked";
  const last = interactions.at(-1);
  if (last?.kind === "approval" && last.response?.action === "deny") return "denied";
  // Its agent has not got the answer, and a person may still take it back.
  return last !== undefined && isResuming(last) ? "asked" : undefined;
}

/** The input that the call runs with: a person may have changed it before they allowed it. */
export function toAllowedInput(
  { input }: ToolCallItem,
  interactions: readonly Interaction[],
): ToolCallItem["input"] {
  return (
    interactions.findLast(({ response }) => response?.editedInput !== undefined)?.response
      ?.editedInput ?? input
  );
}

/** Somebody has decided in the terminal of the agent, and nobody here knows how: the result says only that. */
function isSettledElsewhere({ result }: ToolCallItem, last: Interaction): boolean {
  const { kind, askedBy, status, closedReason } = last;
  const isWithdrawn = kind === "approval" && askedBy === "tool" && status === "withdrawn";
  return isWithdrawn && result?.isError === false && result.content === closedReason;
}

/** The agent's terminal was given a yes: what it made of it is not known here. */
function isHandedOver({ result }: ToolCallItem, { kind, askedBy }: Interaction): boolean {
  if (kind !== "approval" || askedBy !== "tool" || result === undefined) return false;
  return readTerminalResult(result.content) === "allow";
}

/** An approval that the agent asked for and that was not given, or too late. What a tool asks is part of its run. */
function isUnallowed({ kind, askedBy, status, how, closedAt }: Interaction): boolean {
  if (kind !== "approval" || askedBy === "tool") return false;
  if (status === "answered" && closedAt !== undefined) return true;
  return how === "user_message" || (status !== "pending" && !isAnswered(status));
}

import type { ToolCallItem } from "@holdpoint/client";
import {
  isAnswered,
  isHolding,
  isResuming,
  readTerminalResult,
  type Interaction,
} from "@holdpoint/protocol";

/** The progress of a tool call. */
export type ToolPhase =
  | "asked"
  | "running"
  | "done"
  | "failed"
  | "denied"
  /** It was not allowed in time. */
  | "not_run"
  | "unfinished"
  /** It was allowed, but the agent was lost before confirming it; or someone decided elsewhere. */
  | "unknown";

/** The position of a call among the others. */
interface ToolPlace {
  /** The running turn. A call of another turn without a result was cut off. */
  readonly turnId: string | undefined;
  /** An earlier call has no result yet, so the agent may not have started this one, nor asked for it. */
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

/** The phase of an ended call; `undefined` if it has no result yet. */
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
  // It has not been allowed, and the agent may still ask for it.
  return last === undefined && (isBehind || item.input === undefined) ? "asked" : "running";
}

/** The phase of a call that cannot have run yet. */
function toAskedPhase(interactions: readonly Interaction[]): "asked" | "denied" | undefined {
  if (interactions.some(isHolding)) return "asked";
  const last = interactions.at(-1);
  if (last?.kind === "approval" && last.response?.action === "deny") return "denied";
  // The agent does not have the answer yet, and the person can still undo it.
  return last !== undefined && isResuming(last) ? "asked" : undefined;
}

/** The input that the call runs with: a person may have edited it before allowing it. */
export function toAllowedInput(
  { input }: ToolCallItem,
  interactions: readonly Interaction[],
): ToolCallItem["input"] {
  return (
    interactions.findLast(({ response }) => response?.editedInput !== undefined)?.response
      ?.editedInput ?? input
  );
}

/** Whether someone decided in the agent's terminal. The result does not include the decision. */
function isSettledElsewhere({ result }: ToolCallItem, last: Interaction): boolean {
  const { kind, askedBy, status, closedReason } = last;
  const isWithdrawn = kind === "approval" && askedBy === "tool" && status === "withdrawn";
  return isWithdrawn && result?.isError === false && result.content === closedReason;
}

/** Whether the approval was passed to the agent's terminal. The terminal's own decision is not reported. */
function isHandedOver({ result }: ToolCallItem, { kind, askedBy }: Interaction): boolean {
  if (kind !== "approval" || askedBy !== "tool" || result === undefined) return false;
  return readTerminalResult(result.content) === "allow";
}

/** An approval that the agent asked for and did not get in time. A tool's own requests are part of its run. */
function isUnallowed({ kind, askedBy, status, how, closedAt }: Interaction): boolean {
  if (kind !== "approval" || askedBy === "tool") return false;
  if (status === "answered" && closedAt !== undefined) return true;
  return how === "user_message" || (status !== "pending" && !isAnswered(status));
}

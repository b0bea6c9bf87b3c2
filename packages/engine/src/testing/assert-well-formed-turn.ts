import type { TurnResult } from "../ports/agent-adapter.ts";
import type { RecordingTurn, TurnEntry } from "./recording-turn.ts";

/** Throws unless any client can show the turn and any log can store it. */
export function assertWellFormedTurn(turn: RecordingTurn, result: TurnResult): void {
  const faults = [
    ...findToolCallFaults(turn.entries, result),
    ...findTextFaults(turn.entries),
    ...findDeliveryFaults(turn.entries),
    ...turn.lateEntries.map(({ kind }) => `a ${kind} came after the turn had ended`),
  ];
  if (faults.length > 0) throw new Error(`The turn is not well formed:\n- ${faults.join("\n- ")}`);
}

function findToolCallFaults(entries: readonly TurnEntry[], result: TurnResult): string[] {
  const faults: string[] = [];
  const called = new Set<string>();
  const finished = new Set<string>();
  for (const entry of entries) {
    if (entry.kind !== "event") continue;
    const { event } = entry;
    if (event.type === "tool_call") {
      if (called.has(event.toolCallId)) faults.push(`tool call ${event.toolCallId} came twice`);
      called.add(event.toolCallId);
    } else if (event.type === "tool_result") {
      if (!called.has(event.toolCallId)) {
        faults.push(`result of ${event.toolCallId} before its call`);
      }
      if (finished.has(event.toolCallId)) faults.push(`result of ${event.toolCallId} came twice`);
      finished.add(event.toolCallId);
    }
  }
  for (const id of result.reason === "done" ? called : []) {
    if (!finished.has(id)) faults.push(`tool call ${id} of a turn that is done has no result`);
  }
  for (const entry of entries) {
    if (entry.kind !== "hold" || called.has(entry.request.toolCallId)) continue;
    faults.push(`a hold names the tool call ${entry.request.toolCallId}, which never came`);
  }
  return faults;
}

function findTextFaults(entries: readonly TurnEntry[]): string[] {
  const faults: string[] = [];
  const growing = new Map<string, string>();
  const finished = new Set<string>();
  for (const entry of entries) {
    if (entry.kind === "delta" && entry.delta.type === "text_delta") {
      const { messageId, text } = entry.delta;
      if (finished.has(messageId)) faults.push(`text was added to ${messageId} after its end`);
      growing.set(messageId, (growing.get(messageId) ?? "") + text);
    } else if (entry.kind === "event" && entry.event.type === "assistant_message") {
      const { messageId, text } = entry.event;
      if (finished.has(messageId)) faults.push(`message ${messageId} came twice`);
      finished.add(messageId);
      const grown = growing.get(messageId);
      if (grown !== undefined && grown !== text) {
        faults.push(`message ${messageId} is not what its pieces add up to`);
      }
    }
  }
  return faults;
}

function findDeliveryFaults(entries: readonly TurnEntry[]): string[] {
  const faults: string[] = [];
  const answered = new Set<string>();
  const delivered = new Set<string>();
  for (const entry of entries) {
    if (entry.kind === "held" && entry.result.outcome === "answered") {
      answered.add(entry.interactionId);
    } else if (entry.kind === "delivered") {
      if (!answered.has(entry.interactionId)) faults.push(`${entry.interactionId} has no answer`);
      if (delivered.has(entry.interactionId)) faults.push(`${entry.interactionId} came twice`);
      delivered.add(entry.interactionId);
    }
  }
  for (const id of answered) {
    if (!delivered.has(id)) faults.push(`the answer to ${id} was never said to be delivered`);
  }
  return faults;
}

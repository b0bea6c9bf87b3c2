import { isRecord } from "@holdpoint/protocol";

/** One line of the runtime's record of a conversation. */
export type TranscriptEntry = Readonly<Record<string, unknown>>;

/** A call at the end of a conversation, from which the runtime can be started again. */
export interface OpenCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  /** The line of the record that holds the call. */
  readonly entry: TranscriptEntry;
  /** Whether the record already marks the call to be resumed. */
  readonly isMarked: boolean;
}

/** The runtime's own mark for a deferred call. It resumes only marked calls. */
export const MARKER_TYPE = "hook_deferred_tool";

/**
 * The call with this id, if the record ends with it: the only call of its message, on the main thread, without a
 * result. With two calls in the message the runtime would resume one and forget the other.
 */
export function findOpenCall(
  entries: readonly TranscriptEntry[],
  toolCallId: string,
): OpenCall | undefined {
  const last = entries.findLast(isOfConversation);
  if (last?.["type"] !== "assistant" || last["isSidechain"] === true) return undefined;
  const messageId = messageOf(last)["id"];
  if (messageOf(last)["stop_reason"] !== "tool_use") return undefined;
  // Each block of a message has its own line.
  const lines = entries.filter(
    (entry) => entry["type"] === "assistant" && messageOf(entry)["id"] === messageId,
  );
  const calls = lines.flatMap((entry) =>
    blocksOf(entry, "tool_use").map((block) => ({ entry, block })),
  );
  const [call] = calls;
  if (calls.length !== 1 || call === undefined || call.block["id"] !== toolCallId) return undefined;
  const { name, input } = call.block;
  if (typeof name !== "string") return undefined;
  const marked = entries.slice(entries.indexOf(last)).flatMap(markedCallOf);
  if (marked.some((id) => id !== toolCallId)) return undefined;
  return { toolCallId, toolName: name, input, entry: call.entry, isMarked: marked.length > 0 };
}

/**
 * The call's result in the record. An error may be the runtime's own, for a call that it was not allowed to make or
 * finish. Ids can repeat: only results after the last call with the id count.
 */
export function findResultOf(
  entries: readonly TranscriptEntry[],
  toolCallId: string,
): "error" | "success" | undefined {
  const begun = entries.findLastIndex((entry) =>
    blocksOf(entry, "tool_use").some((block) => block["id"] === toolCallId),
  );
  const results = entries
    .slice(begun + 1)
    .flatMap((entry) => blocksOf(entry, "tool_result"))
    .filter((block) => block["tool_use_id"] === toolCallId);
  if (results.length === 0) return undefined;
  return results.every((block) => block["is_error"] === true) ? "error" : "success";
}

/** Includes the lines of sub-agents: if one of them is last, the conversation does not end with the call. */
function isOfConversation(entry: TranscriptEntry): boolean {
  return entry["type"] === "user" || entry["type"] === "assistant";
}

function messageOf(entry: TranscriptEntry): Record<string, unknown> {
  return isRecord(entry["message"]) ? entry["message"] : {};
}

function blocksOf(entry: TranscriptEntry, type: string): Record<string, unknown>[] {
  const { content } = messageOf(entry);
  if (!Array.isArray(content)) return [];
  return content.filter((block) => isRecord(block) && block["type"] === type);
}

function markedCallOf(entry: TranscriptEntry): unknown[] {
  const attachment = entry["attachment"];
  return isRecord(attachment) && attachment["type"] === MARKER_TYPE
    ? [attachment["toolUseID"]]
    : [];
}

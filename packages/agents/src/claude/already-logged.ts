import type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import type { AgentEvent } from "@holdpoint/engine";

import { EMPTY_MAPPER_STATE, type MapperState } from "./mapper-state.ts";
import { callsAfter } from "./turn-calls.ts";

const MESSAGE_ID = /^(.+)\.(\d+)$/u;

/** A placeholder for a call that was logged in the parked part of the turn. */
export function loggedCall({ toolCallId }: { readonly toolCallId: string }): AgentEvent {
  return { type: "tool_call", toolCallId, toolName: "", input: {} };
}

/** The mapper state for a turn that a previous gateway has logged in part. */
export function stateAfter(
  told: readonly AgentEvent[],
  asked: ReadonlyMap<string, string> = new Map(),
): MapperState {
  const blockCounts = new Map<string, number>();
  for (const event of told) {
    if (event.type !== "assistant_message") continue;
    const [, modelMessageId, index] = MESSAGE_ID.exec(event.messageId) ?? [];
    if (modelMessageId === undefined) continue;
    const count = Math.max(blockCounts.get(modelMessageId) ?? 0, Number(index) + 1);
    blockCounts.set(modelMessageId, count);
  }
  return { ...EMPTY_MAPPER_STATE, blockCounts, calls: callsAfter(told, asked) };
}

/**
 * Whether the log has all texts of this message. If a gateway dies between storing a message and confirming it, the
 * message comes again. Calls and results are covered by `stateAfter`.
 */
export function isAlreadyLogged(message: SDKMessage, told: readonly AgentEvent[]): boolean {
  if (message.type !== "assistant") return false;
  const { id, content } = message.message;
  return content.every((block) => {
    if (block.type !== "text" && block.type !== "thinking") return false;
    const text = block.type === "text" ? block.text : block.thinking;
    return told.some(
      (event) =>
        event.type === "assistant_message" &&
        event.channel === block.type &&
        event.text === text &&
        event.messageId.startsWith(`${id}.`),
    );
  });
}

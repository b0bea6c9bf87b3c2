import type {
  SDKAssistantMessage,
  SDKMessage,
  SDKRateLimitInfo,
  SDKUserMessage,
} from "@anthropic-ai/claude-agent-sdk";
import type { AgentEvent } from "@holdpoint/engine";
import { isRecord } from "@holdpoint/protocol";

import {
  blockId,
  parentOf,
  withEntry,
  withoutBlock,
  type Mapped,
  type MapperState,
} from "./mapper-state.ts";
import { mapStreamEvent } from "./stream-events.ts";
import { toToolContent, type ToolContent } from "./tool-content.ts";
import { addCall, endCall, takeCall, type CallName, type TurnCalls } from "./turn-calls.ts";

/**
 * Maps one SDK message to log events. Each block is output whole and once; streamed pieces carry the same `messageId`.
 * Messages about the runtime itself produce no output.
 */
export function mapMessage(state: MapperState, message: SDKMessage): Mapped {
  switch (message.type) {
    case "stream_event":
      return mapStreamEvent(state, message);
    case "assistant":
      return mapAssistant(state, message);
    case "user":
      return "isReplay" in message ? { state, output: [] } : mapUser(state, message);
    case "rate_limit_event":
      return { state: withLimit(state, message.rate_limit_info), output: [] };
    case "system":
      if (message.subtype === "task_started" && message.tool_use_id !== undefined) {
        const agentCalls = withEntry(state.agentCalls, message.task_id, message.tool_use_id);
        return { state: { ...state, agentCalls }, output: [] };
      }
      if (message.subtype === "permission_denied") {
        const refusals = new Set(state.refusals).add(message.tool_use_id);
        return { state: { ...state, refusals }, output: [] };
      }
      if (message.subtype === "local_command_output") {
        return { state, output: [toText(message.uuid, message.content)] };
      }
      return { state, output: [] };
    default:
      return { state, output: [] };
  }
}

function withLimit(state: MapperState, { status, resetsAt }: SDKRateLimitInfo): MapperState {
  const isReached = status === "rejected" && resetsAt !== undefined;
  return {
    ...state,
    limitEndsAt: isReached ? new Date(resetsAt * 1000).toISOString() : undefined,
  };
}

/** Logs the pending complaint as text, because the turn continued after it. */
export function settleComplaint(state: MapperState): Mapped {
  const { complaint, ...rest } = state;
  if (complaint === undefined) return { state, output: [] };
  return { state: rest, output: [toText(complaint.messageId, complaint.text)] };
}

/** A call as reported by the runtime. */
export interface ToldCall extends CallName {
  readonly toolName: string;
  readonly input: Record<string, unknown>;
}

/** Logs a call that the runtime asks about although no message of it came. */
export function mapAskedCall(
  state: MapperState,
  call: ToldCall,
): Mapped & { readonly toolCallId: string } {
  const { calls, toolCallId } = addCall(state.calls, call, { asks: true });
  const event = toCallEvent(calls, toolCallId, call);
  return { state: { ...state, calls }, output: [event], toolCallId };
}

/** Maps a message's call to an event, unless the call was logged before. */
function mapToolCall(state: MapperState, call: ToldCall): Mapped {
  const { calls, toolCallId } = takeCall(state.calls, call);
  const output = toolCallId === undefined ? [] : [toCallEvent(calls, toolCallId, call)];
  return { state: { ...state, calls }, output };
}

function toCallEvent(
  calls: TurnCalls,
  toolCallId: string,
  { toolName, input, parent = "" }: ToldCall,
): AgentEvent {
  return { type: "tool_call", toolCallId, toolName, input, ...parentOf(calls, parent) };
}

function mapAssistant(state: MapperState, message: SDKAssistantMessage): Mapped {
  const settled = settleComplaint(state);
  const parent = message.parent_tool_use_id ?? "";
  if (message.error !== undefined && parent === "") {
    const text = message.message.content
      .flatMap((block) => (block.type === "text" ? [block.text] : []))
      .join("\n");
    const complaint = { kind: message.error, text, messageId: message.uuid };
    return { state: { ...settled.state, complaint }, output: settled.output };
  }
  let current = settled.state;
  const output = [...settled.output];
  for (const block of message.message.content) {
    const mapped = mapBlock(current, { block, parent, modelMessageId: message.message.id });
    current = mapped.state;
    output.push(...mapped.output);
  }
  return { state: current, output };
}

interface WholeBlock {
  readonly block: SDKAssistantMessage["message"]["content"][number];
  readonly parent: string;
  readonly modelMessageId: string;
}

function mapBlock(state: MapperState, { block, parent, modelMessageId }: WholeBlock): Mapped {
  const open = state.open.get(parent);
  const isStreamed = open?.modelMessageId === modelMessageId && open.block !== undefined;
  const count = state.blockCounts.get(modelMessageId) ?? 0;
  const index = isStreamed ? open.index : count;
  const counted: MapperState = {
    ...state,
    blockCounts: withEntry(state.blockCounts, modelMessageId, Math.max(count, index) + 1),
    // A complete block must not be repeated when the turn is cut off.
    ...(isStreamed && { open: withEntry(state.open, parent, withoutBlock(open)) }),
  };
  const say = (text: string, channel: "text" | "thinking"): Mapped => ({
    state: counted,
    output:
      text === ""
        ? []
        : [
            {
              ...toText(blockId(modelMessageId, index), text),
              channel,
              ...parentOf(state.calls, parent),
            },
          ],
  });
  switch (block.type) {
    case "text":
      return say(block.text, "text");
    case "thinking":
      return say(block.thinking, "thinking");
    case "tool_use":
    case "server_tool_use":
    case "mcp_tool_use":
      return mapToolCall(counted, {
        runtimeId: block.id,
        toolName: block.name,
        input: toInput(block.input),
        parent,
      });
    default:
      return "tool_use_id" in block && typeof block.tool_use_id === "string"
        ? mapToolResult(counted, {
            runtimeId: block.tool_use_id,
            parent,
            ...toToolContent("content" in block ? block.content : undefined),
            isError: "is_error" in block && block.is_error,
          })
        : { state: counted, output: [] };
  }
}

function mapUser(state: MapperState, message: SDKUserMessage): Mapped {
  const settled = settleComplaint(state);
  const { content } = message.message;
  let current = settled.state;
  const output = [...settled.output];
  for (const block of typeof content === "string" ? [] : content) {
    if (block.type !== "tool_result") continue;
    const mapped = mapToolResult(current, {
      runtimeId: block.tool_use_id,
      parent: message.parent_tool_use_id ?? "",
      ...toToolContent(block.content),
      isError: block.is_error === true,
    });
    current = mapped.state;
    output.push(...mapped.output);
  }
  return { state: current, output };
}

function mapToolResult(
  state: MapperState,
  { runtimeId, parent, ...result }: CallName & ToolContent & { readonly isError: boolean },
): Mapped {
  const ended = endCall(state.calls, { runtimeId, parent });
  if (ended === undefined) return { state, output: [] };
  const { calls, toolCallId } = ended;
  const refusals = new Set(state.refusals);
  // The refusal is used up: the next call with this id is a different one.
  const isRefused = refusals.delete(runtimeId) && result.isError;
  return {
    state: { ...state, calls, refusals },
    output: [{ type: "tool_result", toolCallId, ...result, ...(isRefused && { refused: true }) }],
  };
}

function toText(
  messageId: string,
  text: string,
): Extract<AgentEvent, { type: "assistant_message" }> {
  return { type: "assistant_message", messageId, text, channel: "text" };
}

function toInput(input: unknown): Record<string, unknown> {
  return isRecord(input) ? input : {};
}

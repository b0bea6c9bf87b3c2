import type {
  SDKAssistantMessage,
  SDKMessage,
  SDKPartialAssistantMessage,
  SDKUserMessage,
} from "@anthropic-ai/claude-agent-sdk";
import type { AgentDelta, AgentEvent } from "@holdpoint/engine";

import { toResultText } from "./tool-content.ts";

/** What the mapping of one turn's messages remembers. Never changed in place. */
export interface MapperState {
  /** The block that streams in now, by the tool call whose sub-agent it belongs to ("" is the main thread). */
  readonly open: ReadonlyMap<string, OpenBlock>;
  /** How many blocks of each model message have come whole. */
  readonly blockCounts: ReadonlyMap<string, number>;
  readonly toolCalls: ReadonlySet<string>;
  readonly toolResults: ReadonlySet<string>;
  /** The tool call that started each sub-agent. */
  readonly agentCalls: ReadonlyMap<string, string>;
  /** An error that the runtime put into words of the model; told if nothing comes of it. */
  readonly complaint?: Complaint;
}

export interface Complaint {
  readonly kind: string;
  readonly text: string;
  readonly messageId: string;
}

interface OpenBlock {
  readonly modelMessageId: string;
  readonly index: number;
  readonly text: string;
  readonly block?: OpenBlockKind;
}

type OpenBlockKind =
  | { readonly type: "text" | "thinking" }
  | { readonly type: "tool"; readonly toolCallId: string; readonly toolName: string };

export type AgentOutput = AgentEvent | AgentDelta;

export interface Mapped {
  readonly state: MapperState;
  /** In order. */
  readonly output: readonly AgentOutput[];
}

export const emptyMapperState: MapperState = {
  open: new Map(),
  blockCounts: new Map(),
  toolCalls: new Set(),
  toolResults: new Set(),
  agentCalls: new Map(),
};

/**
 * What one SDK message means to the log. Blocks come whole, each once; the pieces that streamed before carry the
 * same `messageId`. Messages about the runtime itself mean nothing here.
 */
export function mapMessage(state: MapperState, message: SDKMessage): Mapped {
  switch (message.type) {
    case "stream_event":
      return mapStreamEvent(state, message);
    case "assistant":
      return mapAssistant(state, message);
    case "user":
      return "isReplay" in message ? { state, output: [] } : mapUser(state, message);
    case "system":
      if (message.subtype === "task_started" && message.tool_use_id !== undefined) {
        const agentCalls = withEntry(state.agentCalls, message.task_id, message.tool_use_id);
        return { state: { ...state, agentCalls }, output: [] };
      }
      if (message.subtype === "local_command_output") {
        return { state, output: [toText(message.uuid, message.content)] };
      }
      return { state, output: [] };
    default:
      return { state, output: [] };
  }
}

/** Says what was complained about, now that the turn went on all the same. */
export function settleComplaint(state: MapperState): Mapped {
  const { complaint, ...rest } = state;
  if (complaint === undefined) return { state, output: [] };
  return { state: rest, output: [toText(complaint.messageId, complaint.text)] };
}

/** What a turn that was cut off had begun to say. */
export function closeOpenBlocks(state: MapperState): Mapped {
  const output = [...state.open].flatMap(([parent, open]): AgentOutput[] => {
    if (open.text === "" || open.block === undefined || open.block.type === "tool") return [];
    return [
      {
        type: "assistant_message",
        messageId: blockId(open.modelMessageId, open.index),
        text: open.text,
        channel: open.block.type,
        ...parentOf(parent),
      },
    ];
  });
  return { state: { ...state, open: new Map() }, output };
}

/** The call as an event, unless it was told before. */
export function mapToolCall(
  state: MapperState,
  call: Omit<Extract<AgentEvent, { type: "tool_call" }>, "type">,
): Mapped {
  if (state.toolCalls.has(call.toolCallId)) return { state, output: [] };
  const toolCalls = new Set(state.toolCalls).add(call.toolCallId);
  return { state: { ...state, toolCalls }, output: [{ type: "tool_call", ...call }] };
}

function mapStreamEvent(state: MapperState, message: SDKPartialAssistantMessage): Mapped {
  const { event } = message;
  const parent = message.parent_tool_use_id ?? "";
  const open = state.open.get(parent);
  switch (event.type) {
    case "message_start":
      return setOpen(state, parent, { modelMessageId: event.message.id, index: -1, text: "" });
    case "content_block_start": {
      if (open === undefined) return { state, output: [] };
      const block = toBlockKind(event.content_block);
      const { modelMessageId } = open;
      return setOpen(state, parent, {
        modelMessageId,
        index: event.index,
        text: "",
        ...(block && { block }),
      });
    }
    case "content_block_delta": {
      const text = deltaText(event.delta);
      if (open?.block === undefined || text === undefined || text === "")
        return { state, output: [] };
      const next = setOpen(state, parent, { ...open, text: open.text + text });
      return { state: next.state, output: [toDelta(open, open.block, { text, parent })] };
    }
    case "content_block_stop":
      return open === undefined
        ? { state, output: [] }
        : setOpen(state, parent, withoutBlock(open));
    default:
      return { state, output: [] };
  }
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
    // What is whole must not be told again when the turn is cut off.
    ...(isStreamed && { open: withEntry(state.open, parent, withoutBlock(open)) }),
  };
  const say = (text: string, channel: "text" | "thinking"): Mapped => ({
    state: counted,
    output:
      text === ""
        ? []
        : [{ ...toText(blockId(modelMessageId, index), text), channel, ...parentOf(parent) }],
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
        toolCallId: block.id,
        toolName: block.name,
        input: toInput(block.input),
        ...parentOf(parent),
      });
    default:
      return "tool_use_id" in block && typeof block.tool_use_id === "string"
        ? mapToolResult(counted, {
            toolCallId: block.tool_use_id,
            content: toResultText("content" in block ? block.content : undefined),
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
      toolCallId: block.tool_use_id,
      content: toResultText(block.content),
      isError: block.is_error === true,
    });
    current = mapped.state;
    output.push(...mapped.output);
  }
  return { state: current, output };
}

function mapToolResult(
  state: MapperState,
  result: Omit<Extract<AgentEvent, { type: "tool_result" }>, "type">,
): Mapped {
  if (state.toolResults.has(result.toolCallId)) return { state, output: [] };
  const toolResults = new Set(state.toolResults).add(result.toolCallId);
  return { state: { ...state, toolResults }, output: [{ type: "tool_result", ...result }] };
}

function toBlockKind(block: {
  type: string;
  id?: string;
  name?: string;
}): OpenBlockKind | undefined {
  switch (block.type) {
    case "text":
    case "thinking":
      return { type: block.type };
    case "tool_use":
    case "server_tool_use":
    case "mcp_tool_use":
      return block.id === undefined || block.name === undefined
        ? undefined
        : { type: "tool", toolCallId: block.id, toolName: block.name };
    default:
      return undefined;
  }
}

function deltaText(delta: {
  type: string;
  text?: string;
  thinking?: string;
  partial_json?: string;
}): string | undefined {
  switch (delta.type) {
    case "text_delta":
      return delta.text;
    case "thinking_delta":
      return delta.thinking;
    case "input_json_delta":
      return delta.partial_json;
    default:
      return undefined;
  }
}

function toDelta(
  open: OpenBlock,
  block: OpenBlockKind,
  { text, parent }: { text: string; parent: string },
): AgentDelta {
  if (block.type === "tool") {
    const { toolCallId, toolName } = block;
    return { type: "tool_call_delta", toolCallId, toolName, text };
  }
  const messageId = blockId(open.modelMessageId, open.index);
  return { type: "text_delta", messageId, channel: block.type, text, ...parentOf(parent) };
}

/** One model message has many blocks, and each is a message of the log. */
function blockId(modelMessageId: string, index: number): string {
  return `${modelMessageId}.${index}`;
}

function toText(
  messageId: string,
  text: string,
): Extract<AgentEvent, { type: "assistant_message" }> {
  return { type: "assistant_message", messageId, text, channel: "text" };
}

function parentOf(parent: string): { parentToolCallId?: string } {
  return parent === "" ? {} : { parentToolCallId: parent };
}

function toInput(input: unknown): Record<string, unknown> {
  return typeof input === "object" && input !== null && !Array.isArray(input)
    ? (input as Record<string, unknown>)
    : {};
}

function setOpen(state: MapperState, parent: string, open: OpenBlock): Mapped {
  return { state: { ...state, open: withEntry(state.open, parent, open) }, output: [] };
}

/** The stream between two blocks. */
function withoutBlock({ modelMessageId, index }: OpenBlock): OpenBlock {
  return { modelMessageId, index, text: "" };
}

function withEntry<TValue>(
  map: ReadonlyMap<string, TValue>,
  key: string,
  value: TValue,
): ReadonlyMap<string, TValue> {
  return new Map(map).set(key, value);
}

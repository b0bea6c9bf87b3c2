import type { SDKPartialAssistantMessage } from "@anthropic-ai/claude-agent-sdk";
import type { AgentDelta } from "@holdpoint/engine";

import {
  blockId,
  parentOf,
  withEntry,
  withoutBlock,
  type AgentOutput,
  type Mapped,
  type MapperState,
  type OpenBlock,
  type OpenBlockKind,
} from "./mapper-state.ts";
import { nextCallId } from "./turn-calls.ts";

/** Maps one piece of a streamed block to deltas. The whole block follows as a message. */
export function mapStreamEvent(state: MapperState, message: SDKPartialAssistantMessage): Mapped {
  const { event } = message;
  const parent = message.parent_tool_use_id ?? "";
  const open = state.open.get(parent);
  switch (event.type) {
    case "message_start":
      return setOpen(state, parent, { modelMessageId: event.message.id, index: -1, text: "" });
    case "content_block_start": {
      if (open === undefined) return { state, output: [] };
      const block = toBlockKind(state, event.content_block);
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
      if (open?.block === undefined || text === undefined || text === "") {
        return { state, output: [] };
      }
      const next = setOpen(state, parent, { ...open, text: open.text + text });
      return {
        state: next.state,
        output: [toDelta(open, open.block, { text, ...parentOf(state.calls, parent) })],
      };
    }
    case "content_block_stop":
      return open === undefined
        ? { state, output: [] }
        : setOpen(state, parent, withoutBlock(open));
    default:
      return { state, output: [] };
  }
}

/** The unfinished texts of a turn that was cut off. */
export function closeOpenBlocks(state: MapperState): Mapped {
  const output = [...state.open].flatMap(([parent, open]): AgentOutput[] => {
    if (open.text === "" || open.block === undefined || open.block.type === "tool") return [];
    return [
      {
        type: "assistant_message",
        messageId: blockId(open.modelMessageId, open.index),
        text: open.text,
        channel: open.block.type,
        ...parentOf(state.calls, parent),
      },
    ];
  });
  return { state: { ...state, open: new Map() }, output };
}

function toBlockKind(
  { calls }: MapperState,
  block: { type: string; id?: string; name?: string },
): OpenBlockKind | undefined {
  switch (block.type) {
    case "text":
    case "thinking":
      return { type: block.type };
    case "tool_use":
    case "server_tool_use":
    case "mcp_tool_use":
      return block.id === undefined || block.name === undefined
        ? undefined
        : { type: "tool", toolCallId: nextCallId(calls, block.id), toolName: block.name };
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
  said: { readonly text: string; readonly parentToolCallId?: string },
): AgentDelta {
  if (block.type === "tool") {
    const { toolCallId, toolName } = block;
    return { type: "tool_call_delta", toolCallId, toolName, text: said.text };
  }
  const messageId = blockId(open.modelMessageId, open.index);
  return { type: "text_delta", messageId, channel: block.type, ...said };
}

function setOpen(state: MapperState, parent: string, open: OpenBlock): Mapped {
  return { state: { ...state, open: withEntry(state.open, parent, open) }, output: [] };
}

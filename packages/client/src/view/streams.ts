import type { EphemeralFrame } from "@holdpoint/protocol";

import { toCallKey, toMessageKey } from "./item-key.ts";
import type { ToolCallItem, ViewItem } from "./session-view.ts";

type Delta = Extract<EphemeralFrame, { type: "text_delta" | "tool_call_delta" }>;
type MessageItem = Extract<ViewItem, { type: "assistant_message" }>;

/** An item that still grows. It stands after all durable items, where its event will put it. */
export interface Stream {
  readonly turnId: string;
  readonly item: MessageItem | ToolCallItem;
}

/** The streams after a delta; the same ones when its place cannot be filled, since something before it is missing. */
export function foldDelta(streams: readonly Stream[], delta: Delta): readonly Stream[] {
  const key = toDeltaKey(delta);
  const place = streams.findIndex(({ item }) => item.key === key);
  const known = streams[place]?.item;
  const text = splice(known ? textOf(known) : "", delta);
  if (text === undefined) return streams;
  const stream = { turnId: delta.turnId, item: toItem(key, text, delta) };
  return known ? streams.with(place, stream) : [...streams, stream];
}

export function toDeltaKey(delta: Delta): string {
  return delta.type === "text_delta" ? toMessageKey(delta) : toCallKey(delta);
}

function splice(text: string, delta: Delta): string | undefined {
  if (delta.offset > text.length) return undefined;
  return text.slice(0, delta.offset) + delta.text;
}

function textOf(item: Stream["item"]): string {
  return item.type === "tool_call" ? (item.inputText ?? "") : item.text;
}

function toItem(key: string, text: string, delta: Delta): Stream["item"] {
  switch (delta.type) {
    case "text_delta": {
      const { channel, parentToolCallId } = delta;
      return {
        type: "assistant_message",
        key,
        text,
        channel,
        streaming: true,
        ...(parentToolCallId !== undefined && { parentToolCallId }),
      };
    }
    case "tool_call_delta": {
      const { turnId, toolCallId, toolName } = delta;
      const interactionIds: readonly string[] = [];
      return {
        type: "tool_call",
        key,
        turnId,
        toolCallId,
        toolName,
        inputText: text,
        interactionIds,
      };
    }
  }
}

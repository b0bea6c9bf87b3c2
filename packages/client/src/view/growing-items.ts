import type { EphemeralFrame } from "@holdpoint/protocol";

import { toCallKey, toMessageKey } from "./item-key.ts";
import type { ToolCallItem, ViewItem } from "./session-view.ts";

export type Delta = Extract<EphemeralFrame, { type: "text_delta" | "tool_call_delta" }>;
type MessageItem = Extract<ViewItem, { type: "assistant_message" }>;

/** An item whose event is not in the log yet. It comes after all items of the log, where its event will place it. */
export interface GrowingItem {
  readonly turnId: string;
  readonly item: MessageItem | ToolCallItem;
}

/** Returns the items with the delta applied. Returns the same array if text before the delta's offset is missing. */
export function foldDelta(growing: readonly GrowingItem[], delta: Delta): readonly GrowingItem[] {
  const key = toDeltaKey(delta);
  const index = growing.findIndex(({ item }) => item.key === key);
  const known = growing[index]?.item;
  const text = splice(known ? textOf(known) : "", delta);
  if (text === undefined) return growing;
  const grown = { turnId: delta.turnId, item: toItem(key, text, delta) };
  return known ? growing.with(index, grown) : [...growing, grown];
}

export function toDeltaKey(delta: Delta): string {
  return delta.type === "text_delta" ? toMessageKey(delta) : toCallKey(delta);
}

function splice(text: string, delta: Delta): string | undefined {
  if (delta.offset > text.length) return undefined;
  return text.slice(0, delta.offset) + delta.text;
}

function textOf(item: GrowingItem["item"]): string {
  return item.type === "tool_call" ? (item.inputText ?? "") : item.text;
}

function toItem(key: string, text: string, delta: Delta): GrowingItem["item"] {
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

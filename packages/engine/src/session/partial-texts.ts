import type { EphemeralFrame, SerializedFrame, UnplacedEvent } from "@holdpoint/protocol";

import type { AgentDelta } from "../ports/agent-adapter.ts";

const MAX_FRAME_UNITS = 64 * 1024;
/** A longer text is shown only once it is complete. */
const MAX_TEXT_UNITS = 4 * 1024 * 1024;

/** How far a follower has read each growing text. */
export type PartialOffsets = ReadonlyMap<PartialText, number>;

interface PartialFrames {
  readonly frames: readonly SerializedFrame[];
  readonly offsets: PartialOffsets;
}

const NOTHING_GROWS: PartialFrames = { frames: [], offsets: new Map() };

/** A growing text. Its frames are made once for all followers that have read equally far. */
export class PartialText {
  readonly #turnId: string;
  readonly #first: AgentDelta;
  readonly #pieces: string[] = [];
  /** The end of each piece. */
  readonly #ends: number[] = [];
  #isFull = false;
  #shared:
    | { readonly from: number; readonly to: number; readonly frame: SerializedFrame }
    | undefined;

  constructor(turnId: string, first: AgentDelta) {
    this.#turnId = turnId;
    this.#first = first;
  }

  get length(): number {
    return this.#ends.at(-1) ?? 0;
  }

  add(text: string): void {
    this.#isFull ||= this.length + text.length > MAX_TEXT_UNITS;
    if (this.#isFull) return;
    for (let from = 0; from < text.length; from += MAX_FRAME_UNITS) {
      const piece = text.slice(from, from + MAX_FRAME_UNITS);
      this.#ends.push(this.length + piece.length);
      this.#pieces.push(piece);
    }
  }

  /** The text after an offset at which an earlier frame ended, as one frame of bounded size. */
  frameFrom(offset: number): { readonly frame: SerializedFrame; readonly to: number } {
    const start = this.#pieceAt(offset);
    let end = start + 1;
    while (end < this.#ends.length && (this.#ends[end] ?? 0) - offset <= MAX_FRAME_UNITS) end += 1;
    const to = this.#ends[end - 1] ?? offset;
    if (this.#shared?.from !== offset || this.#shared.to !== to) {
      const text = this.#pieces.slice(start, end).join("");
      const frame = { json: JSON.stringify(this.#toFrame(offset, text)), canWait: true as const };
      this.#shared = { from: offset, to, frame };
    }
    return this.#shared;
  }

  /** The first piece that ends after the offset. */
  #pieceAt(offset: number): number {
    let low = 0;
    let high = this.#ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#ends[middle] ?? 0) > offset) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #toFrame(offset: number, text: string): EphemeralFrame {
    const first = this.#first;
    const place = { turnId: this.#turnId, offset, text };
    switch (first.type) {
      case "text_delta":
        return {
          type: "text_delta",
          messageId: first.messageId,
          channel: first.channel,
          ...place,
          ...(first.parentToolCallId !== undefined && { parentToolCallId: first.parentToolCallId }),
        };
      case "tool_call_delta":
        return {
          type: "tool_call_delta",
          toolCallId: first.toolCallId,
          toolName: first.toolName,
          ...place,
        };
    }
  }
}

/** The texts of one kind that grow in a turn, and the ids of finished ones. */
class TextsOfKind {
  readonly growing = new Map<string, PartialText>();
  readonly #ended = new Set<string>();

  add(id: string, turnId: string, delta: AgentDelta): void {
    if (this.#ended.has(id)) return;
    const text = this.growing.get(id) ?? new PartialText(turnId, delta);
    this.growing.set(id, text);
    text.add(delta.text);
  }

  end(id: string): void {
    this.#ended.add(id);
    this.growing.delete(id);
  }

  clear(): void {
    this.#ended.clear();
    this.growing.clear();
  }
}

/**
 * All texts that grow in a turn. A text ends when its event lands, or with the turn. Texts that have ended cost
 * followers nothing, however long the turn is.
 */
export class PartialTexts {
  readonly #messages = new TextsOfKind();
  readonly #toolCalls = new TextsOfKind();

  add(turnId: string, delta: AgentDelta): void {
    if (delta.type === "text_delta") this.#messages.add(delta.messageId, turnId, delta);
    else this.#toolCalls.add(delta.toolCallId, turnId, delta);
  }

  /** Drops the text that the event contains as a whole. */
  land(event: UnplacedEvent): void {
    if (event.type === "assistant_message") this.#messages.end(event.messageId);
    else if (event.type === "tool_call") this.#toolCalls.end(event.toolCallId);
    else if (event.type === "turn_ended") this.clear();
  }

  clear(): void {
    this.#messages.clear();
    this.#toolCalls.clear();
  }

  /** The frames that a follower with these offsets has not received, and its offsets afterwards. */
  framesFrom(offsets: PartialOffsets): PartialFrames {
    if (this.#messages.growing.size + this.#toolCalls.growing.size === 0) return NOTHING_GROWS;
    const frames: SerializedFrame[] = [];
    const next = new Map<PartialText, number>();
    for (const { growing } of [this.#messages, this.#toolCalls]) {
      for (const text of growing.values()) {
        const offset = offsets.get(text) ?? 0;
        if (text.length <= offset) {
          next.set(text, offset);
          continue;
        }
        const { frame, to } = text.frameFrom(offset);
        frames.push(frame);
        next.set(text, to);
      }
    }
    return { frames, offsets: next };
  }
}

import type { SessionEvent } from "@holdpoint/protocol";

/* Keys are JSON arrays, because no two different lists of ids have the same text. */

export function toMessageKey(message: {
  readonly turnId?: string | undefined;
  readonly messageId: string;
  readonly channel: string;
}): string {
  return JSON.stringify(["message", message.turnId ?? null, message.messageId, message.channel]);
}

export function toCallKey(call: {
  readonly turnId?: string | undefined;
  readonly toolCallId: string;
}): string {
  return JSON.stringify(["call", call.turnId ?? null, call.toolCallId]);
}

export function toInteractionKey(interactionId: string): string {
  return JSON.stringify(["interaction", interactionId]);
}

export function toEventKey({ seq }: Pick<SessionEvent, "seq">): string {
  return JSON.stringify(["event", seq]);
}

/** Returns a new key for an item whose own key is taken, because some agents use an id twice. */
export function toFurtherKey(key: string, seq: number): string {
  return JSON.stringify([key, seq]);
}

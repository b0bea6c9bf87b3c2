import { type InteractionKind, type Saying, saying } from "@holdpoint/protocol";

import type { PostResult } from "../lib/post.ts";
import type { Message } from "../message.ts";
import type { Asked } from "./follow-pending.ts";

/** `gone`: the target accepts nothing, permanently. `refused`: it rejects this message. `missed`: try again later. */
export type SendResult =
  | { readonly kind: "sent" }
  | { readonly kind: "gone" }
  | { readonly kind: "refused"; readonly reason: Saying }
  | { readonly kind: "missed"; readonly reason: Saying; readonly afterMs?: number };

export interface SendOptions {
  /** The same for every try of a message, so that receivers can recognize duplicates. */
  readonly messageId: string;
  readonly signal: AbortSignal;
}

/** A receiver of notifications: a device or a webhook. */
export interface Target {
  readonly targetId: string;
  /** Interactions that started before this time cause no notifications. */
  readonly sinceMs: number;
  /** Whether the notification of a pending interaction is repeated once. */
  readonly repeats: boolean;
  wants(kind: InteractionKind): boolean;
  /** Whether the target's person or groups may answer the interaction now. Absent: the target gets everything. */
  readonly mayAnswer?: (asked: Asked) => boolean;
  /** Returns the time until which nothing may be sent, or `undefined` if sending is allowed now. */
  quietUntil(nowMs: number): number | undefined;
  /** Whether the target's person is looking at the page on this device. */
  isLooking(): boolean;
  /** Never rejects. */
  readonly send: (message: Message, options: SendOptions) => Promise<SendResult>;
}

/** Converts an HTTP response into a send result. Redirects are not followed and count as refused. */
export function toSendResult(result: PostResult, { host }: URL): SendResult {
  if (result.kind === "unreachable") {
    return { kind: "missed", reason: saying("push_unreachable", { host, why: result.reason }) };
  }
  const { status, retryAfterMs } = result;
  if (status >= 200 && status < 300) return { kind: "sent" };
  if (status === 404 || status === 410) return { kind: "gone" };
  if (status === 408 || status === 429 || status >= 500) {
    const reason = saying("push_later", { host, status });
    return {
      kind: "missed",
      reason,
      ...(retryAfterMs !== undefined && { afterMs: retryAfterMs }),
    };
  }
  return { kind: "refused", reason: saying("push_refused", { host, status }) };
}

import { type InteractionKind, type Saying, saying } from "@holdpoint/protocol";

import type { PostResult } from "../lib/post.ts";
import type { Message } from "../message.ts";
import type { Asked } from "./follow-pending.ts";

/** `gone`: it takes nothing any more, for ever. `refused`: it does not take this message. `missed`: it may take it later. */
export type SendResult =
  | { readonly kind: "sent" }
  | { readonly kind: "gone" }
  | { readonly kind: "refused"; readonly reason: Saying }
  | { readonly kind: "missed"; readonly reason: Saying; readonly afterMs?: number };

export interface SendOptions {
  /** The same for each try of one message, so that a receiver can know it again. */
  readonly messageId: string;
  readonly signal: AbortSignal;
}

/** Somebody who is told: a device, or a webhook. */
export interface Target {
  readonly targetId: string;
  /** Interactions of before are not told. */
  readonly sinceMs: number;
  /** Whether what is still pending is told once more. */
  readonly repeats: boolean;
  wants(kind: InteractionKind): boolean;
  /** Whether its person may answer it now. Absent: it has none, and is told of everything. */
  readonly mayAnswer?: (asked: Asked) => boolean;
  /** Until when nothing is to be sent; absent: it may be sent now. */
  quietUntil(nowMs: number): number | undefined;
  /** The person looks at the page there. */
  isLooking(): boolean;
  /** Never rejects. */
  readonly send: (message: Message, options: SendOptions) => Promise<SendResult>;
}

/** What an answer says of a message. A redirect is followed nowhere: it is a refusal. */
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

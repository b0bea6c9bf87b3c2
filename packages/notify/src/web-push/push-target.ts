import { createHmac } from "node:crypto";

import type { Clock } from "@holdpoint/engine";

import type { Asked } from "../deliveries/follow-pending.ts";
import {
  type SendOptions,
  type SendResult,
  type Target,
  toSendResult,
} from "../deliveries/target.ts";
import type { Poster } from "../lib/post.ts";
import { endOfQuiet } from "../lib/quiet-hours.ts";
import { type Message, textsOf } from "../message.ts";
import type { Subscription } from "../ports/notification-store.ts";
import { encryptMessage } from "./encrypt-message.ts";
import type { PushServices } from "./push-services.ts";
import type { VapidKey } from "./vapid-key.ts";

/** Every message is padded to this length. Few messages exceed it. */
const PADDED_BYTES = 2048;
/** How long a push service keeps a message for an offline device. */
const TIME_TO_LIVE_S = 12 * 60 * 60;
/** A topic has at most 32 characters (RFC 8030). */
const TOPIC_LENGTH = 32;

export interface PushParts {
  readonly clock: Pick<Clock, "now">;
  readonly poster: Poster;
  readonly places: PushServices;
  readonly key: VapidKey;
  /** Whether the device's person may answer the interaction now. */
  readonly mayAnswer: (deviceId: string, asked: Asked) => boolean;
  /** Whether a page of the device is in view. */
  readonly isLooking: (deviceId: string) => boolean;
}

/** Creates the target for a device, which is reached through its browser's push service. */
export function createPushTarget(parts: PushParts, subscription: Subscription): Target {
  const { deviceId, about, quiet, createdAtMs } = subscription;
  return {
    targetId: deviceId,
    sinceMs: createdAtMs,
    repeats: true,
    wants: (kind) => about === "all" || (about === "approvals" && kind === "approval"),
    mayAnswer: (asked) => parts.mayAnswer(deviceId, asked),
    quietUntil: (nowMs) => endOfQuiet(quiet, nowMs),
    isLooking: () => parts.isLooking(deviceId),
    send: (message, options) => sendPush(parts, subscription, message, options),
  };
}

/** Sends a message to a subscribed browser. Never rejects. */
export async function sendPush(
  { clock, poster, places, key }: PushParts,
  { endpoint, p256dh, auth, language }: Subscription,
  message: Message,
  { signal }: Pick<SendOptions, "signal">,
): Promise<SendResult> {
  const url = places.parse(endpoint);
  if (!url) return { kind: "gone" };
  const { step, tag, path } = message;
  const shown = { step, tag, ...textsOf(message, language), path };
  const text = Buffer.from(JSON.stringify({ version: 1, ...shown, atMs: clock.now() }));
  try {
    const body = encryptMessage(text, { p256dh, auth, paddedBytes: PADDED_BYTES });
    const headers = {
      authorization: key.authorize(url, clock.now()),
      "content-encoding": "aes128gcm",
      "content-type": "application/octet-stream",
      ttl: String(TIME_TO_LIVE_S),
      // A newer message replaces an undelivered one with the same topic.
      topic: toTopic(message.tag, auth),
      // The same for every step, so that the push service cannot recognize withdrawals.
      urgency: "high",
    };
    const mayConnect = places.ruleOf(url);
    return toSendResult(await poster.post({ url, headers, body, mayConnect, signal }), url);
  } catch {
    // The keys of the subscription are invalid.
    return { kind: "gone" };
  }
}

/** Derives the topic from the tag, so that only the holder of the browser's secret can connect the two. */
function toTopic(tag: string, auth: string): string {
  return createHmac("sha256", auth).update(tag).digest("base64url").slice(0, TOPIC_LENGTH);
}

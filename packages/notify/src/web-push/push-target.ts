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
import type { PushPlaces } from "./push-places.ts";
import type { VapidKey } from "./vapid-key.ts";

/** Every message is as long as this, or longer than most. */
const PADDED_BYTES = 2048;
/** How long a push service keeps a message for a device that is off. */
const TIME_TO_LIVE_S = 12 * 60 * 60;
/** A topic has at most 32 characters (RFC 8030). */
const TOPIC_LENGTH = 32;

export interface PushParts {
  readonly clock: Pick<Clock, "now">;
  readonly poster: Poster;
  readonly places: PushPlaces;
  readonly key: VapidKey;
  /** Whether the device's person may answer it now. */
  readonly mayAnswer: (deviceId: string, asked: Asked) => boolean;
  /** Whether a page of the device is in view. */
  readonly isLooking: (deviceId: string) => boolean;
}

/** A device, by its browser's push service. */
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

/** Never rejects. */
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
      // A later message about the same takes the place of one that the device has not got yet.
      topic: toTopic(message.tag, auth),
      // The same for all: it would say what is taken back.
      urgency: "high",
    };
    const mayConnect = places.ruleOf(url);
    return toSendResult(await poster.post({ url, headers, body, mayConnect, signal }), url);
  } catch {
    // Its keys are no keys.
    return { kind: "gone" };
  }
}

/** The same for messages about the same, and known to nobody without the browser's secret. */
function toTopic(tag: string, auth: string): string {
  return createHmac("sha256", auth).update(tag).digest("base64url").slice(0, TOPIC_LENGTH);
}

import {
  inEnglish,
  saidOf,
  type NotificationTest,
  type NotifiedDevice,
  type Saying,
} from "@holdpoint/protocol";

import type { Subscription } from "./ports/notification-store.ts";

/** Converts a subscription for the page. `current`: the id of the caller's device. */
export function toNotifiedDevice(
  { deviceId, about, quiet, language, createdAtMs, lastSentAtMs, trouble }: Subscription,
  current: string | undefined,
): NotifiedDevice {
  return {
    deviceId,
    current: deviceId === current,
    about,
    createdAt: new Date(createdAtMs).toISOString(),
    ...(quiet && { quiet }),
    ...(lastSentAtMs !== undefined && { lastSentAt: new Date(lastSentAtMs).toISOString() }),
    ...(language !== undefined && { language }),
    ...(trouble !== undefined && { trouble: inEnglish(trouble), ...saidOf({ trouble }) }),
  };
}

/** Describes why a notification could not be sent. */
export function toDetail(detail: Saying): Pick<NotificationTest, "detail" | "said"> {
  return { detail: inEnglish(detail), ...saidOf({ detail }) };
}

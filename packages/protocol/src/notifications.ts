import { z } from "zod";

import { idSchema, instantSchema } from "./primitives.ts";
import { saidSchema } from "./saying-schema.ts";

const base64UrlSchema = z.string().regex(/^[\w-]+$/u);
/** Hours and minutes, such as `22:30`. */
const timeOfDaySchema = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/u);

/** The local hours without notifications. They end on the next day if `to` is not after `from`. */
export const quietHoursSchema = z.strictObject({
  from: timeOfDaySchema,
  to: timeOfDaySchema,
  /** The device's time zone, such as `Europe/Berlin`. */
  timeZone: z.string().min(1).max(64),
});
export type QuietHours = z.infer<typeof quietHoursSchema>;

/** The requests that a device is notified of. */
export const notifyAboutSchema = z.enum(["all", "approvals", "off"]);
export type NotifyAbout = z.infer<typeof notifyAboutSchema>;

/** The language of a device's notifications, as a tag such as `de-AT`. Unsupported languages fall back to English. */
const languageSchema = z
  .string()
  .max(35)
  .regex(/^[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*$/u);

/** A browser's push subscription (RFC 8030), with the keys for messages that only it can read (RFC 8291). */
export const subscribeBodySchema = z.strictObject({
  endpoint: z.string().min(1).max(2048),
  keys: z.strictObject({
    /** An uncompressed P-256 point. */
    p256dh: base64UrlSchema.length(87),
    auth: base64UrlSchema.length(22),
  }),
  about: notifyAboutSchema,
  quiet: quietHoursSchema.optional(),
  language: languageSchema.optional(),
});
export type SubscribeBody = z.infer<typeof subscribeBodySchema>;

export const updateNotificationsBodySchema = z.strictObject({
  about: notifyAboutSchema.optional(),
  /** `null` turns quiet hours off. */
  quiet: quietHoursSchema.nullable().optional(),
  language: languageSchema.optional(),
});
export type UpdateNotificationsBody = z.infer<typeof updateNotificationsBodySchema>;

const notifiedDeviceSchema = z.object({
  deviceId: idSchema,
  /** Whether this request comes from the device. */
  current: z.boolean(),
  about: notifyAboutSchema,
  quiet: quietHoursSchema.optional(),
  language: z.string().optional(),
  createdAt: instantSchema,
  /** When the push service last accepted a message. */
  lastSentAt: instantSchema.optional(),
  /** Why the push service refuses messages now. For people. */
  trouble: z.string().optional(),
  /** The sayings of `trouble`. */
  said: saidSchema.optional(),
});
export type NotifiedDevice = z.infer<typeof notifiedDeviceSchema>;

export const notificationsSchema = z.object({
  /** The gateway's public key, which browsers subscribe with (RFC 8292). Absent: the gateway sends no notifications. */
  publicKey: base64UrlSchema.optional(),
  /** The person's devices with notifications. The addresses of their push services are never revealed. */
  devices: z.array(notifiedDeviceSchema),
});
export type Notifications = z.infer<typeof notificationsSchema>;

/**
 * The result of a test. `sent`: the push service accepted the message. `refused`: it did not. `gone`: the browser has
 * ended the subscription, which is now removed. `unreachable`: the push service could not be reached.
 */
export const notificationTestSchema = z.object({
  result: z.enum(["sent", "refused", "gone", "unreachable"]),
  /** The push service's reply in a few words. For people. */
  detail: z.string().optional(),
  /** The sayings of `detail`. */
  said: saidSchema.optional(),
});
export type NotificationTest = z.infer<typeof notificationTestSchema>;

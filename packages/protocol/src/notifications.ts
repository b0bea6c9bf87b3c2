import { z } from "zod";

import { idSchema, instantSchema } from "./primitives.ts";
import { saidSchema } from "./said.ts";

const base64UrlSchema = z.string().regex(/^[\w-]+$/u);
/** Hours and minutes of a day, such as `22:30`. */
const timeOfDaySchema = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/u);

/** When a device is left alone, by the clock on its wall. Ends on the next day if `to` is not after `from`. */
export const quietHoursSchema = z.strictObject({
  from: timeOfDaySchema,
  to: timeOfDaySchema,
  /** The device's own, such as `Europe/Berlin`. */
  timeZone: z.string().min(1).max(64),
});
export type QuietHours = z.infer<typeof quietHoursSchema>;

/** What a device is notified of. */
export const notifyAboutSchema = z.enum(["all", "approvals", "off"]);
export type NotifyAbout = z.infer<typeof notifyAboutSchema>;

/** The language that a device's notifications are said in, as a tag such as `de-AT`. English where the gateway has no words in it. */
const languageSchema = z
  .string()
  .max(35)
  .regex(/^[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*$/u);

/** Where a browser takes push messages (RFC 8030), and the keys that only it can read them with (RFC 8291). */
export const subscribeBodySchema = z.strictObject({
  endpoint: z.string().min(1).max(2048),
  keys: z.strictObject({
    /** A point of P-256, uncompressed. */
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
  /** `null`: no quiet hours. */
  quiet: quietHoursSchema.nullable().optional(),
  language: languageSchema.optional(),
});
export type UpdateNotificationsBody = z.infer<typeof updateNotificationsBodySchema>;

const notifiedDeviceSchema = z.object({
  deviceId: idSchema,
  /** The one that this request comes from. */
  current: z.boolean(),
  about: notifyAboutSchema,
  quiet: quietHoursSchema.optional(),
  language: z.string().optional(),
  createdAt: instantSchema,
  /** When its push service last took a message. */
  lastSentAt: instantSchema.optional(),
  /** Why its push service refuses messages now. For people. */
  trouble: z.string().optional(),
  /** `trouble`. */
  said: saidSchema.optional(),
});
export type NotifiedDevice = z.infer<typeof notifiedDeviceSchema>;

export const notificationsSchema = z.object({
  /** What a browser subscribes with: the gateway's public key (RFC 8292). Absent: this gateway sends no notifications. */
  publicKey: base64UrlSchema.optional(),
  /** The person's devices with notifications. Where their browsers take messages is told to nobody. */
  devices: z.array(notifiedDeviceSchema),
});
export type Notifications = z.infer<typeof notificationsSchema>;

/**
 * What became of a test: `sent`, the push service has taken it; `refused`; `gone`, the browser has ended its subscription,
 * which is removed now; `unreachable`.
 */
export const notificationTestSchema = z.object({
  result: z.enum(["sent", "refused", "gone", "unreachable"]),
  /** What the push service said, in a few words. For people. */
  detail: z.string().optional(),
  /** `detail`. */
  said: saidSchema.optional(),
});
export type NotificationTest = z.infer<typeof notificationTestSchema>;

import { z } from "zod";

import { idSchema, instantSchema } from "./primitives.ts";

/** The longest time for which an interaction can be snoozed. */
export const MAX_SNOOZE_MS = 7 * 24 * 60 * 60 * 1000;
/** The most interactions that one person can have snoozed at the same time. */
export const MAX_SNOOZES = 1000;

/** A snooze hides an interaction from a person for some time. It stays pending, and can be answered. */
export const snoozeSchema = z.object({
  interactionId: idSchema,
  until: instantSchema,
});
export type Snooze = z.infer<typeof snoozeSchema>;

export const snoozeBodySchema = z.strictObject({ until: instantSchema });
export type SnoozeBody = z.infer<typeof snoozeBodySchema>;

export const snoozeListSchema = z.object({ items: z.array(snoozeSchema) });
export type SnoozeList = z.infer<typeof snoozeListSchema>;

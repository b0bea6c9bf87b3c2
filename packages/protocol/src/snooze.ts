import { z } from "zod";

import { idSchema, instantSchema } from "./primitives.ts";

/** An interaction may be put off for so long at most. */
export const MAX_SNOOZE_MS = 7 * 24 * 60 * 60 * 1000;
/** So many interactions one person may have put off. */
export const MAX_SNOOZES = 1000;

/** Until then an interaction is out of a person's way. It stays pending, and can be answered. */
export const snoozeSchema = z.object({
  interactionId: idSchema,
  until: instantSchema,
});
export type Snooze = z.infer<typeof snoozeSchema>;

export const snoozeBodySchema = z.strictObject({ until: instantSchema });
export type SnoozeBody = z.infer<typeof snoozeBodySchema>;

export const snoozeListSchema = z.object({ items: z.array(snoozeSchema) });
export type SnoozeList = z.infer<typeof snoozeListSchema>;

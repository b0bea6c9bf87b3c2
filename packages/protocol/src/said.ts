import { z } from "zod";

/** A sentence, or a part of one, that the gateway says to people: its code and values, which each language puts into words. */
export const sayingSchema = z.object({
  /** A reader that does not know it shows the English text beside it. */
  code: z.string(),
  /** The value `label` is a text of an agent's, such as the name of a mode; the others are said as they are. */
  values: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});
export type Saying = z.infer<typeof sayingSchema>;

/**
 * By the name of a text beside it: the same as sayings, one after the other. Absent: whoever asks has written that text, and
 * it is shown as it is.
 */
export const saidSchema = z.record(z.string(), z.array(sayingSchema));
export type Said = z.infer<typeof saidSchema>;

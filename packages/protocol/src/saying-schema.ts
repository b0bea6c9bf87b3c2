import { z } from "zod";

/** A sentence of the gateway for people, or a part of one: a code and values, which each language turns into text. */
export const sayingSchema = z.object({
  /** A reader that does not know the code shows the accompanying English text. */
  code: z.string(),
  /** `label` is a text from an agent, such as the name of a mode. Other values are inserted unchanged. */
  values: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});
export type Saying = z.infer<typeof sayingSchema>;

/**
 * The sayings of texts in the same object, by field name, to be joined in order. A text without sayings was written by
 * the requester, and is shown as it is.
 */
export const saidSchema = z.record(z.string(), z.array(sayingSchema));
export type Said = z.infer<typeof saidSchema>;

import { z } from "zod";

const tokensSchema = z.int().min(0);

/** The usage of a turn, including its sub-agents, as far as its agent reports it. */
export const turnUsageSchema = z.object({
  /** All tokens read by the model, including `cachedTokens`. */
  inputTokens: tokensSchema,
  /** Input tokens that came from the cache. */
  cachedTokens: tokensSchema,
  outputTokens: tokensSchema,
  /** In US dollars, as estimated by the agent. Not a bill. */
  costUsd: z.number().min(0).optional(),
});
export type TurnUsage = z.infer<typeof turnUsageSchema>;

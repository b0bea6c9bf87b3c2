import { z } from "zod";

const tokensSchema = z.int().min(0);

/** What a turn has used, its sub-agents included, as far as its agent tells. */
export const turnUsageSchema = z.object({
  /** All that the model read, `cachedTokens` included. */
  inputTokens: tokensSchema,
  /** What of it came from the cache. */
  cachedTokens: tokensSchema,
  outputTokens: tokensSchema,
  /** In US dollars, as the agent estimates it; no bill. */
  costUsd: z.number().min(0).optional(),
});
export type TurnUsage = z.infer<typeof turnUsageSchema>;

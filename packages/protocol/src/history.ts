import { z } from "zod";

import { deliverySchema, interactionKindSchema } from "./interaction.ts";
import { idSchema } from "./primitives.ts";
import { approvalScopeSchema, responderSchema, responseActionSchema } from "./response.ts";
import { saidSchema } from "./said.ts";

/** More words than these are not looked for. */
export const MAX_HISTORY_WORDS = 8;

export const historyQuerySchema = z.object({
  /** Only entries in which all of these words are found, without regard to case. */
  words: z.string().max(200).optional(),
  cursor: z.string().max(256).optional(),
  limit: z.coerce.number<number>().int().min(1).max(200).default(50),
});
export type HistoryQuery = z.infer<typeof historyQuerySchema>;

/** An interaction that was answered, in a few lines. `getInteraction` has what was shown. */
export const historyEntrySchema = z.object({
  interactionId: idSchema,
  sessionId: idSchema,
  sessionTitle: z.string(),
  kind: interactionKindSchema,
  toolName: z.string(),
  /** What was asked, in one line. */
  asked: z.string(),
  /** `asked`. */
  said: saidSchema.optional(),
  action: responseActionSchema,
  approvalScope: approvalScopeSchema.optional(),
  /** The person has changed the input before allowing it. */
  edited: z.literal(true).optional(),
  /** The grant that answered, which `by` had given. */
  grantId: idSchema.optional(),
  /** What was answered, or the reason of a denial, in one line; never a sensitive value. */
  answer: z.string().optional(),
  by: responderSchema,
  /** How the agent got it; absent: it has not got it yet. */
  how: deliverySchema.optional(),
});
export type HistoryEntry = z.infer<typeof historyEntrySchema>;

export const historySchema = z.object({
  items: z.array(historyEntrySchema),
  nextCursor: z.string().optional(),
});
export type History = z.infer<typeof historySchema>;

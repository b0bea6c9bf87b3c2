import { z } from "zod";

import { deliverySchema, interactionKindSchema } from "./interaction.ts";
import { idSchema, instantSchema } from "./primitives.ts";
import { approvalScopeSchema, responderSchema, responseActionSchema } from "./response.ts";
import { saidSchema } from "./said.ts";

/** More words than these are not looked for. */
export const MAX_HISTORY_WORDS = 8;

const nameSchema = z.string().min(1).max(256);

/** What of the history is looked for. All parts must fit; without any it is all that was answered. */
export const historyFilterSchema = z.object({
  /** Only entries in which all of these words are found, without regard to case. */
  words: z.string().max(200).optional(),
  /** Who answered, or gave the grant that did. */
  person: nameSchema.optional(),
  /** Whose session it was asked in. */
  agent: nameSchema.optional(),
  /** The name of the tool that asked. */
  tool: nameSchema.optional(),
  /** What was answered. */
  action: responseActionSchema.optional(),
  /** Answered at this instant or later. */
  from: instantSchema.optional(),
  /** Answered at this instant or earlier. */
  until: instantSchema.optional(),
});
export type HistoryFilter = z.infer<typeof historyFilterSchema>;

export const historyQuerySchema = z.object({
  ...historyFilterSchema.shape,
  cursor: z.string().max(256).optional(),
  limit: z.coerce.number<number>().int().min(1).max(200).default(50),
});
export type HistoryQuery = z.infer<typeof historyQuerySchema>;

/** An interaction that was answered, in a few lines. `getInteraction` has what was shown. */
export const historyEntrySchema = z.object({
  interactionId: idSchema,
  sessionId: idSchema,
  sessionTitle: z.string(),
  agent: z.string(),
  kind: interactionKindSchema,
  toolName: z.string(),
  /** What was asked, in one line. */
  asked: z.string(),
  /** `asked`. */
  said: saidSchema.optional(),
  /** The digest of what was shown: of an approval that which its response named, else of its questions or its form. */
  shown: z.string(),
  action: responseActionSchema,
  approvalScope: approvalScopeSchema.optional(),
  /** The person has changed the input before allowing it. */
  edited: z.literal(true).optional(),
  /** The grant that answered, which `by` had given. */
  grantId: idSchema.optional(),
  /** What was answered, or the reason of a denial, in one line; never a sensitive value. */
  answer: z.string().optional(),
  /** How many comments are under it; absent: none. */
  comments: z.int().min(1).optional(),
  by: responderSchema,
  /** How the agent got it; absent: it has not got it yet. */
  how: deliverySchema.optional(),
});
export type HistoryEntry = z.infer<typeof historyEntrySchema>;

/** A page that looks for something may have fewer entries than its limit, or none, and yet not be the last. */
export const historySchema = z.object({
  items: z.array(historyEntrySchema),
  nextCursor: z.string().optional(),
});
export type History = z.infer<typeof historySchema>;

/** What a filter can name: the people, agents and tools of the newest answers, each in the order of the alphabet. */
export const historyNamesSchema = z.object({
  people: z.array(z.string()),
  agents: z.array(z.string()),
  tools: z.array(z.string()),
});
export type HistoryNames = z.infer<typeof historyNamesSchema>;

import { z } from "zod";

import { deliverySchema, interactionKindSchema } from "./interaction.ts";
import { idSchema, instantSchema } from "./primitives.ts";
import { approvalScopeSchema, responderSchema, responseActionSchema } from "./response.ts";
import { saidSchema } from "./saying-schema.ts";

/** The most words that a search takes into account. */
export const MAX_HISTORY_WORDS = 8;

const nameSchema = z.string().min(1).max(256);

/** A filter for the history. All parts must match. Without any part, it matches everything that was answered. */
export const historyFilterSchema = z.object({
  /** Only entries that contain all of these words, in any letter case. */
  words: z.string().max(200).optional(),
  /** The person who answered, or who gave the grant that answered. */
  person: nameSchema.optional(),
  /** The agent of the session. */
  agent: nameSchema.optional(),
  /** The name of the tool that asked. */
  tool: nameSchema.optional(),
  /** The action of the response. */
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

/** A short summary of an answered interaction. `getInteraction` returns the full request. */
export const historyEntrySchema = z.object({
  interactionId: idSchema,
  sessionId: idSchema,
  sessionTitle: z.string(),
  agent: z.string(),
  kind: interactionKindSchema,
  toolName: z.string(),
  /** The request, in one line. */
  asked: z.string(),
  /** The sayings of `asked`. */
  said: saidSchema.optional(),
  /** The digest of the shown content: for an approval the one in its response, otherwise its questions' or form's. */
  shown: z.string(),
  action: responseActionSchema,
  approvalScope: approvalScopeSchema.optional(),
  /** Set if the person changed the input before approving it. */
  edited: z.literal(true).optional(),
  /** The grant that answered, given earlier by `by`. */
  grantId: idSchema.optional(),
  /** The answer, or the reason for a denial, in one line. Never contains a sensitive value. */
  answer: z.string().optional(),
  /** The number of comments on it. Absent: none. */
  comments: z.int().min(1).optional(),
  by: responderSchema,
  /** How the agent got the response. Absent: not yet. */
  how: deliverySchema.optional(),
});
export type HistoryEntry = z.infer<typeof historyEntrySchema>;

/** A page of a filtered history may have fewer entries than its limit, or none, without being the last page. */
export const historySchema = z.object({
  items: z.array(historyEntrySchema),
  nextCursor: z.string().optional(),
});
export type History = z.infer<typeof historySchema>;

/** The values for a filter: people, agents and tools from the newest answers, each in alphabetical order. */
export const historyNamesSchema = z.object({
  people: z.array(z.string()),
  agents: z.array(z.string()),
  tools: z.array(z.string()),
});
export type HistoryNames = z.infer<typeof historyNamesSchema>;

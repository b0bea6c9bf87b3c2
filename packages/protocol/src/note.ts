/**
 * What is added to an interaction without answering it: comments, hand-overs and reminders. The agent hears nothing of them,
 * and none of them changes its status or its deadline.
 */
import { z } from "zod";

import { NOTE_LIMITS } from "./limits.ts";
import { namedSchema } from "./responders.ts";
import { responderSchema } from "./response.ts";

const commentTextSchema = z.string().trim().min(1).max(NOTE_LIMITS.commentUnits);

const comment = {
  text: z.string(),
  /** The program that asked has written it. */
  program: z.literal(true).optional(),
  /** Who has written it could not answer. */
  outsider: z.literal(true).optional(),
};

const handOver = {
  to: namedSchema,
  /** Who hands it over is asked no more: enough others can allow it. They may answer all the same. */
  instead: z.literal(true).optional(),
  /** The gateway has given it back to who handed it over, by id: too few others could allow it any more. */
  back: z.literal(true).optional(),
};

export const noteSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("comment"), ...comment }),
  /** Names somebody who may answer, or whom a later step would let answer: they may from now on. */
  z.object({ type: z.literal("hand_over"), ...handOver }),
  z.object({ type: z.literal("reminder") }),
]);
export type Note = z.infer<typeof noteSchema>;

export const commentSchema = z.object({ ...comment, by: responderSchema });
export type Comment = z.infer<typeof commentSchema>;

export const handOverSchema = z.object({ ...handOver, by: responderSchema });
export type HandOver = z.infer<typeof handOverSchema>;

/** What was added to an interaction so far. */
export const notesSchema = z.object({
  /** How many there were. */
  given: z.int().min(1),
  comments: z.array(commentSchema).optional(),
  handOvers: z.array(handOverSchema).optional(),
  /** The last reminder, and how many there were. */
  reminded: z.object({ by: responderSchema, times: z.int().min(1) }).optional(),
});
export type Notes = z.infer<typeof notesSchema>;

/** Of the notes, what decides who may answer and who is told: for whoever keeps them for many interactions. */
export function withoutComments({ given, handOvers, reminded }: Notes): Notes {
  return { given, ...(handOvers && { handOvers }), ...(reminded && { reminded }) };
}

/** Body of `POST /api/interactions/:interactionId/comments`, and of the same of an ask. */
export const commentBodySchema = z.strictObject({ text: commentTextSchema });
export type CommentBody = z.infer<typeof commentBodySchema>;

/** Body of `POST /api/interactions/:interactionId/hand-over`. */
export const handOverBodySchema = z.strictObject({ to: namedSchema });
export type HandOverBody = z.infer<typeof handOverBodySchema>;

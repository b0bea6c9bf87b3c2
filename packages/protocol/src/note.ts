/**
 * Notes: additions to an interaction that are not answers. They are comments, reassignments (`hand_over`) and
 * reminders. The agent is not notified of them, and they do not change the status or the deadline.
 */
import { z } from "zod";

import { NOTE_LIMITS } from "./limits.ts";
import { namedSchema } from "./responders.ts";
import { responderSchema } from "./response.ts";

const commentTextSchema = z.string().trim().min(1).max(NOTE_LIMITS.commentUnits);

const comment = {
  text: z.string(),
  /** Set if the requesting program wrote it. */
  program: z.literal(true).optional(),
  /** Set if its author could not answer. */
  outsider: z.literal(true).optional(),
};

const handOver = {
  to: namedSchema,
  /** The person who reassigned it is no longer asked, because enough others can approve. They may still answer. */
  instead: z.literal(true).optional(),
  /** The gateway returned it to the person who reassigned it (by id), because too few others could still approve. */
  back: z.literal(true).optional(),
};

export const noteSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("comment"), ...comment }),
  /** Names a person or group in any step of the policy. They may answer from now on. */
  z.object({ type: z.literal("hand_over"), ...handOver }),
  z.object({ type: z.literal("reminder") }),
]);
export type Note = z.infer<typeof noteSchema>;

export const commentSchema = z.object({ ...comment, by: responderSchema });
export type Comment = z.infer<typeof commentSchema>;

export const handOverSchema = z.object({ ...handOver, by: responderSchema });
export type HandOver = z.infer<typeof handOverSchema>;

/** The notes on an interaction. */
export const notesSchema = z.object({
  /** The number of notes so far. */
  given: z.int().min(1),
  comments: z.array(commentSchema).optional(),
  handOvers: z.array(handOverSchema).optional(),
  /** The last reminder, and the number of reminders so far. */
  reminded: z.object({ by: responderSchema, times: z.int().min(1) }).optional(),
});
export type Notes = z.infer<typeof notesSchema>;

/** Returns the notes that affect responders and notifications, for callers that store them for many interactions. */
export function withoutComments({ given, handOvers, reminded }: Notes): Notes {
  return { given, ...(handOvers && { handOvers }), ...(reminded && { reminded }) };
}

/** Body of `POST /api/interactions/:interactionId/comments`, and of the corresponding route for asks. */
export const commentBodySchema = z.strictObject({ text: commentTextSchema });
export type CommentBody = z.infer<typeof commentBodySchema>;

/** Body of `POST /api/interactions/:interactionId/hand-over`. */
export const handOverBodySchema = z.strictObject({ to: namedSchema });
export type HandOverBody = z.infer<typeof handOverBodySchema>;

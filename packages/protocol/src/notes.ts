/**
 * What is added to an interaction without answering it: comments, hand-overs and reminders. The agent hears nothing of them,
 * and none of them changes its status or its deadline.
 */
import { z } from "zod";

import type { InteractionRefusal } from "./interaction-input.ts";
import type { Interaction } from "./interaction.ts";
import { NOTE_LIMITS } from "./limits.ts";
import { namedSchema } from "./responders.ts";
import { responderSchema, type Responder } from "./response.ts";

const commentTextSchema = z.string().trim().min(1).max(NOTE_LIMITS.commentUnits);

const comment = {
  text: z.string(),
  /** The program that asked has written it. */
  program: z.literal(true).optional(),
  /** Who has written it could not answer. */
  outsider: z.literal(true).optional(),
};

export const noteSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("comment"), ...comment }),
  /** Names somebody whom a later step would let answer: they may from now on. */
  z.object({ type: z.literal("hand_over"), to: namedSchema }),
  z.object({ type: z.literal("reminder") }),
]);
export type Note = z.infer<typeof noteSchema>;

export const commentSchema = z.object({ ...comment, by: responderSchema });
export type Comment = z.infer<typeof commentSchema>;

export const handOverSchema = z.object({ to: namedSchema, by: responderSchema });
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

/** Body of `POST /api/interactions/:interactionId/comments`, and of the same of an ask. */
export const commentBodySchema = z.strictObject({ text: commentTextSchema });
export type CommentBody = z.infer<typeof commentBodySchema>;

/** Body of `POST /api/interactions/:interactionId/hand-over`. */
export const handOverBodySchema = z.strictObject({ to: namedSchema });
export type HandOverBody = z.infer<typeof handOverBodySchema>;

interface Added {
  readonly note: Note;
  readonly by: Responder;
}

/** What an interaction has after one more. */
export function withNote(notes: Partial<Notes> = {}, { note, by }: Added): Notes {
  const { given = 0, comments = [], handOvers = [], reminded } = notes;
  const next = { ...notes, given: given + 1 };
  switch (note.type) {
    case "comment": {
      const { type: _, ...said } = note;
      return { ...next, comments: [...comments, { ...said, by }] };
    }
    case "hand_over":
      return { ...next, handOvers: [...handOvers, { to: note.to, by }] };
    case "reminder":
      return { ...next, reminded: { by, times: (reminded?.times ?? 0) + 1 } };
  }
}

/** Why this is not added: it is there already, or there is no room for more. The table says first whether anything may be. */
export function refusalOfNote(
  { notes = { given: 0 } }: Pick<Interaction, "notes">,
  { note, by }: Added,
): InteractionRefusal | undefined {
  const { comments = [], handOvers = [], reminded } = notes;
  switch (note.type) {
    case "comment": {
      const own = comments.filter((one) => isOfSame(one, { ...note, by }));
      if (own.some(({ text }) => text === note.text)) return "already_noted";
      const isFull = comments.length >= NOTE_LIMITS.comments;
      return isFull || own.length >= NOTE_LIMITS.commentsOfOne ? "notes_full" : undefined;
    }
    case "hand_over": {
      const wanted = JSON.stringify(namedKey(note.to));
      if (handOvers.some(({ to }) => JSON.stringify(namedKey(to)) === wanted)) {
        return "already_noted";
      }
      return handOvers.length >= NOTE_LIMITS.handOvers ? "notes_full" : undefined;
    }
    case "reminder": {
      if (!reminded) return undefined;
      const sinceMs = Date.parse(by.at) - Date.parse(reminded.by.at);
      if (sinceMs < NOTE_LIMITS.remindEveryMs) return "already_noted";
      return reminded.times >= NOTE_LIMITS.reminders ? "notes_full" : undefined;
    }
  }
}

/** Whether one person, or the program that asked, has written both. */
function isOfSame(one: Comment, other: Comment): boolean {
  if (one.program || other.program) return one.program === other.program;
  return (one.by.personId ?? one.by.person) === (other.by.personId ?? other.by.person);
}

function namedKey({ issuer, ...named }: HandOver["to"]): unknown[] {
  return [issuer, "group" in named ? { group: named.group } : { person: named.person }];
}

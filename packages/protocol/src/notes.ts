/** The notes on an interaction, as a part of its life. */
import type { EventOf } from "./event.ts";
import type { InteractionRefusal } from "./interaction-input.ts";
import type { Interaction } from "./interaction.ts";
import { keyOfNamed } from "./key-of-named.ts";
import { NOTE_LIMITS } from "./limits.ts";
import type { Comment, HandOver, Note, Notes } from "./note.ts";
import type { Responder } from "./response.ts";

interface Added {
  readonly note: Note;
  readonly by: Responder;
}

/** Returns the notes with this one added. `given`: the new number of notes. */
export function withNote(
  notes: Partial<Notes> = {},
  { note, by, given }: Added & { readonly given: number },
): Notes {
  const { type, ...said } = note;
  const { comments = [], handOvers = [], reminded } = notes;
  const next = { ...notes, given };
  if (type === "comment") {
    next.comments = [...comments, { ...(said as Omit<Comment, "by">), by }];
  } else if (type === "hand_over") {
    next.handOvers = [...handOvers, { ...(said as Omit<HandOver, "by">), by }];
  } else next.reminded = { by, times: (reminded?.times ?? 0) + 1 };
  return next;
}

/** Returns the event for a note, without the ids of its interaction. */
export function toNote(
  { notes }: Pick<Interaction, "notes">,
  { note, by }: Added,
): Pick<EventOf<"interaction_note">, "at" | "by" | "note" | "notesGiven" | "type"> {
  return { type: "interaction_note", at: by.at, by, note, notesGiven: (notes?.given ?? 0) + 1 };
}

/**
 * Returns why a note is refused: it is a duplicate, or the limit is reached. The table in interaction-life.ts decides
 * first whether notes are possible at all.
 */
export function refusalOfNote(
  { notes = { given: 0 } }: Pick<Interaction, "notes">,
  { note, by }: Added,
): InteractionRefusal | undefined {
  switch (note.type) {
    case "comment":
      return refusalOfComment(notes, { ...note, by });
    case "hand_over":
      return refusalOfHanding(notes, { ...note, by });
    case "reminder":
      return refusalOfReminder(notes, by);
  }
}

function refusalOfComment(
  { comments = [] }: Partial<Notes>,
  comment: Comment,
): InteractionRefusal | undefined {
  const own = comments.filter((one) => isOfSame(one, comment));
  if (own.some(({ text }) => text === comment.text)) return "already_noted";
  const isFull = comments.length >= NOTE_LIMITS.comments;
  return isFull || own.length >= NOTE_LIMITS.commentsOfOne ? "notes_full" : undefined;
}

function refusalOfHanding(
  { handOvers = [] }: Partial<Notes>,
  { to, by, back }: HandOver,
): InteractionRefusal | undefined {
  // Each return follows a reassignment, and reassignments are limited.
  if (back) return undefined;
  const isOwn = (one: HandOver): boolean => keyOfPerson(one.by) === keyOfPerson(by);
  const last = handOvers.findLastIndex(
    (one) => isOwn(one) && keyOfNamed(one.to) === keyOfNamed(to),
  );
  // If someone else has reassigned it since then, it may have been returned.
  if (last >= 0 && handOvers.slice(last).every(isOwn)) return "already_noted";
  const given = handOvers.filter((one) => !one.back).length;
  return given >= NOTE_LIMITS.handOvers ? "notes_full" : undefined;
}

function refusalOfReminder(
  { reminded }: Partial<Notes>,
  { at }: Responder,
): InteractionRefusal | undefined {
  if (!reminded) return undefined;
  const sinceMs = Date.parse(at) - Date.parse(reminded.by.at);
  if (sinceMs < NOTE_LIMITS.remindEveryMs) return "already_noted";
  return reminded.times >= NOTE_LIMITS.reminders ? "notes_full" : undefined;
}

/** Whether both were written by the same person, or both by the requesting program. */
function isOfSame(one: Comment, other: Comment): boolean {
  if (one.program || other.program) return one.program === other.program;
  return keyOfPerson(one.by) === keyOfPerson(other.by);
}

function keyOfPerson({ personId, person }: Responder): string {
  return personId ?? person;
}

/** The notes of an interaction, as a part of its life. */
import type { InteractionRefusal } from "./interaction-input.ts";
import type { Interaction } from "./interaction.ts";
import { NOTE_LIMITS } from "./limits.ts";
import type { Comment, HandOver, Note, Notes } from "./note.ts";
import type { Responder } from "./response.ts";

interface Added {
  readonly note: Note;
  readonly by: Responder;
}

/** What an interaction has with this one, which makes it so many. */
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

import type { Interaction } from "@holdpoint/protocol";

import type { Say } from "../../words/use-words.ts";
import { responderWords } from "../shared/answer-words.ts";
import type { AnsweredState } from "../shared/card-state.ts";

/** The person who answered, or all of them if several people allowed it. */
export function peopleWords(
  { votes = [] }: Pick<Interaction, "votes">,
  { by, phase, response }: AnsweredState,
  say: Say,
): string {
  if (response?.action !== "approve" || votes.length < 2) {
    return responderWords(by, phase === "answered_here", say);
  }
  return say("Allowed by {people}", { people: votes.map(({ person }) => person).join(", ") });
}

import type { Interaction, Question } from "@holdpoint/protocol";

/** The questions of an interaction. Separate from the question card, which is loaded later. */
export function questionsOf(interaction: Interaction): readonly Question[] {
  return interaction.questions ?? [];
}

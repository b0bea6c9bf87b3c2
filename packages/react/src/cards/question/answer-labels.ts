import type { Answer, Question } from "@holdpoint/protocol";

/** One question with what was answered, in words. */
interface AnsweredQuestion {
  readonly id: string;
  readonly header: string;
  readonly question: string;
  readonly labels: readonly string[];
  /** The person's own words; empty when there were none. */
  readonly other: string;
}

/** The answers beside their questions. An id that is not among the options is shown as it is. */
export function toAnsweredQuestions(
  questions: readonly Question[],
  answers: readonly Answer[],
): readonly AnsweredQuestion[] {
  return questions.map(({ id, header, question, options }) => {
    const answer = answers.find(({ questionId }) => questionId === id);
    const labels = (answer?.selected ?? []).map(
      (optionId) => options.find((option) => option.id === optionId)?.label ?? optionId,
    );
    return { id, header, question, labels, other: answer?.other?.trim() ?? "" };
  });
}

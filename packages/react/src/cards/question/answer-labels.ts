import { withDistinctLabels, type Answer, type Question } from "@holdpoint/protocol";

/** A question with its answer in words. */
interface AnsweredQuestion {
  readonly id: string;
  readonly header: string;
  readonly question: string;
  readonly labels: readonly string[];
  /** The person's own words; empty if there are none. */
  readonly other: string;
}

/** The answers with their questions. An id that is not among the options is shown unchanged. */
export function toAnsweredQuestions(
  questions: readonly Question[],
  answers: readonly Answer[],
): readonly AnsweredQuestion[] {
  return withDistinctLabels(questions).map(({ id, header, question, options }) => {
    const answer = answers.find(({ questionId }) => questionId === id);
    const labels = (answer?.selected ?? []).map(
      (optionId) => options.find((option) => option.id === optionId)?.label ?? optionId,
    );
    return { id, header, question, labels, other: answer?.other?.trim() ?? "" };
  });
}

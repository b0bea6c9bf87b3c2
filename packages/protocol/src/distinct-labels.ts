import { toDistinctTitles } from "./distinct-titles.ts";
import type { Question, QuestionOption } from "./interaction.ts";

/** The same questions for a person's eyes: no option of a question looks like another. The agent gets the labels that it wrote. */
export function withDistinctLabels(questions: readonly Question[]): readonly Question[] {
  return questions.map((question) => ({ ...question, options: toldApart(question.options) }));
}

function toldApart(options: readonly QuestionOption[]): QuestionOption[] {
  const labels = options.map(({ label }) => label);
  const titles = toDistinctTitles(
    options.map(({ id, label }) => {
      const isOnce = labels.indexOf(label) === labels.lastIndexOf(label);
      return { name: isOnce ? label : id, title: label };
    }),
  );
  return options.map((option, at) => ({ ...option, label: titles[at] ?? option.label }));
}

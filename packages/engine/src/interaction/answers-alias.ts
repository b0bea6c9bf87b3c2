import type { Answer, Question } from "@holdpoint/protocol";

export type AliasAnswers = Record<string, string | string[]>;

export type AliasReading =
  | { readonly status: "read"; readonly answers: Answer[] }
  | { readonly status: "invalid"; readonly fieldErrors: Record<string, string> };

/**
 * Reads the loose `answers` object of the aliases. A key is a question's id, its text, or its index from 0. A value is
 * an option's label, several labels (as an array or its JSON), or free text, which counts as "Other". This refuses only
 * answers that cannot be attributed; `validateResponse` checks whether each question allows its answer.
 */
export function readAliasAnswers(
  answers: AliasAnswers,
  questions: readonly Question[],
): AliasReading {
  const fieldErrors: Record<string, string> = {};
  const read = new Map<string, Answer>();
  for (const [key, value] of Object.entries(answers)) {
    const question = findQuestion(key, questions);
    if (question === undefined) {
      fieldErrors[`answers.${key}`] = "This was not asked.";
    } else if (question === "ambiguous") {
      fieldErrors[`answers.${key}`] = "Several questions have this text: use their ids.";
    } else if (read.has(question.id)) {
      fieldErrors[`answers.${question.id}`] = "This was answered twice.";
    } else {
      const answer = readValue(question, value);
      if (answer) read.set(question.id, answer);
      else fieldErrors[`answers.${question.id}`] = "This option was not offered.";
    }
  }
  for (const { id } of questions) {
    if (!read.has(id)) fieldErrors[`answers.${id}`] ??= "This question was not answered.";
  }
  if (Object.keys(fieldErrors).length > 0) return { status: "invalid", fieldErrors };
  return { status: "read", answers: [...read.values()] };
}

function findQuestion(
  key: string,
  questions: readonly Question[],
): Question | "ambiguous" | undefined {
  const byId = questions.find((question) => question.id === key);
  if (byId) return byId;
  const byText = questions.filter((question) => question.question === key);
  if (byText.length > 1) return "ambiguous";
  return byText[0] ?? (/^\d{1,3}$/.test(key) ? questions[Number(key)] : undefined);
}

function readValue(question: Question, value: string | readonly string[]): Answer | undefined {
  if (typeof value !== "string") return fromLabels(question, value);
  const option = question.options.find(({ label }) => label === value);
  if (option) return { questionId: question.id, selected: [option.id] };
  const labels = parseLabels(value);
  return labels
    ? fromLabels(question, labels)
    : { questionId: question.id, selected: [], other: value };
}

function fromLabels(question: Question, labels: readonly string[]): Answer | undefined {
  const selected: string[] = [];
  for (const label of labels) {
    const option = question.options.find((option) => option.label === label);
    if (!option) return undefined;
    selected.push(option.id);
  }
  return { questionId: question.id, selected };
}

function parseLabels(text: string): string[] | undefined {
  if (!text.trimStart().startsWith("[")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const isLabels = Array.isArray(value) && value.every((item) => typeof item === "string");
    return isLabels ? value : undefined;
  } catch {
    // Text in brackets that is not JSON is the person's own words.
    return undefined;
  }
}

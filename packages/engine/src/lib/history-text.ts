import { type Interaction, summarizeRequest } from "@holdpoint/protocol";

/** In UTF-16 units. Text after that is not found by a search. */
const MAX_TEXT = 4000;
const MAX_DEPTH = 16;

/** The text that a search looks through. It has no sensitive values, because responses are stored without them. */
export function historyText(interaction: Interaction): string {
  const { toolName, prompt, approval, questions, form, response, by, votes = [] } = interaction;
  const { notes } = interaction;
  const parts = [
    summarizeRequest(interaction),
    toolName,
    prompt,
    by && `${by.person} ${by.client}`,
    ...votes.map(({ person }) => person),
    response?.reason,
    response?.reply,
    ...answerParts(interaction),
    ...textsOf(response?.editedInput),
    ...textsOf(approval?.input),
    ...(questions ?? []).flatMap(({ question, options }) => [
      question,
      ...options.map(({ label }) => label),
    ]),
    form?.schema.title,
    ...(notes?.comments ?? []).flatMap(({ text: said, by: { person } }) => [person, said]),
  ];
  const text = parts.filter((part) => part !== undefined && part !== "").join("\n");
  return toSearchable(text.slice(0, MAX_TEXT));
}

/** The words of a search in searchable form, at most `most` of them. */
export function toSearchedWords(words: string, most: number): string[] {
  const found = toSearchable(words).split(/\s+/u);
  return [...new Set(found.filter((word) => word !== ""))].slice(0, most);
}

/** The parts of an answer, as texts. */
export function answerParts({ questions, response }: Interaction): string[] {
  const answers = (response?.answers ?? []).flatMap(({ questionId, selected, other }) => {
    const options = questions?.find(({ id }) => id === questionId)?.options ?? [];
    const labels = selected.map((id) => options.find((each) => each.id === id)?.label ?? id);
    return other === undefined ? labels : [...labels, other];
  });
  return [...answers, ...textsOf(response?.values)];
}

export function toSearchable(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

/** The texts and numbers in a value, except very deeply nested ones. */
function textsOf(value: unknown, depth = 0): string[] {
  if (typeof value === "string") return [value.slice(0, MAX_TEXT)];
  if (typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return [];
  return Object.values(value).flatMap((part) => textsOf(part, depth + 1));
}

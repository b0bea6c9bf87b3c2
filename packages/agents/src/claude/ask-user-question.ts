import {
  type Answer,
  type InteractionResponse,
  isRecord,
  type OptionPreview,
  type Question,
  type QuestionOption,
} from "@holdpoint/protocol";

export type ParsedQuestions =
  | { readonly ok: true; readonly questions: readonly Question[] }
  /** Sent to the model, so that it can ask again in another way. */
  | { readonly ok: false; readonly message: string };

/**
 * Reads the input of `AskUserQuestion`. Ids are positions: `q1`, `q1o1`. Refuses input without an unambiguous answer:
 * the runtime keys answers by question text and recognises options by label.
 */
export function toQuestions(
  input: Record<string, unknown>,
  previewFormat: OptionPreview["format"],
): ParsedQuestions {
  const raw = input["questions"];
  if (!Array.isArray(raw) || raw.length === 0) return refuse("it has no questions");
  const questions: Question[] = [];
  const texts = new Set<string>();
  for (const [position, value] of raw.entries()) {
    const id = `q${position + 1}`;
    const question = toQuestion(value, { id, previewFormat });
    if (typeof question === "string") return refuse(`question ${position + 1} ${question}`);
    if (texts.has(question.question)) {
      return refuse("two questions have the same text; give every question its own text");
    }
    texts.add(question.question);
    questions.push(question);
  }
  return { ok: true, questions };
}

type QuestionResponse = Pick<InteractionResponse, "action" | "reply"> & {
  readonly answers?: readonly Answer[] | undefined;
};

/**
 * The input with which `AskUserQuestion` runs, so that the model gets exactly the person's answers. `undefined` for a
 * response that answers no question.
 */
export function toAnsweredInput(
  input: Record<string, unknown>,
  questions: readonly Question[],
  response: QuestionResponse,
): Record<string, unknown> | undefined {
  if (response.action === "cancel") return { ...input, answers: {} };
  if (response.action !== "submit") return undefined;
  if (response.reply !== undefined) return { ...input, answers: {}, response: response.reply };
  const answers: Record<string, string> = {};
  for (const answer of response.answers ?? []) {
    const question = questions.find(({ id }) => id === answer.questionId);
    if (question === undefined) return undefined;
    const labels: string[] = [];
    for (const optionId of answer.selected) {
      const option = question.options.find(({ id }) => id === optionId);
      if (option === undefined) return undefined;
      labels.push(option.label);
    }
    const text = toAnswerText(question, labels, answer.other);
    if (text !== undefined) setOwn(answers, question.question, text);
  }
  return { ...input, answers };
}

/** Also works for `__proto__`, which can be a question's text. */
function setOwn(target: Record<string, string>, key: string, value: string): void {
  Object.defineProperty(target, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

function toAnswerText(
  question: Question,
  labels: readonly string[],
  other: string | undefined,
): string | undefined {
  const said = other === undefined || other === "" ? [] : [other];
  const items = [...labels, ...said];
  const [only] = items;
  if (only === undefined) return undefined;
  // The runtime takes free text and the label of a single choice whole, but always splits a multiple choice.
  const isWhole = items.length === 1 && (labels.length === 0 || !question.multiSelect);
  return isWhole ? only : items.map(quoteItem).join(", ");
}

/** The runtime splits a multiple choice at `", "` and reads an item in JSON quotes as one. */
function quoteItem(item: string): string {
  return item.includes(", ") || item.includes('"') ? JSON.stringify(item) : item;
}

function refuse(problem: string): ParsedQuestions {
  return {
    ok: false,
    message: `The questions were not shown to anyone: ${problem}. Correct the call and ask again.`,
  };
}

interface QuestionContext {
  readonly id: string;
  readonly previewFormat: OptionPreview["format"];
}

function toQuestion(value: unknown, { id, previewFormat }: QuestionContext): Question | string {
  if (!isRecord(value)) return "is not an object";
  const { question, header, multiSelect, options } = value;
  if (typeof question !== "string" || question.trim() === "") return "has no text";
  if (!Array.isArray(options) || options.length === 0) return "has no options";
  const parsed: QuestionOption[] = [];
  const labels = new Set<string>();
  for (const [position, raw] of options.entries()) {
    const option = toOption(raw, { id: `${id}o${position + 1}`, previewFormat });
    if (option === undefined) return `has an option without a label`;
    if (labels.has(option.label)) return "has two options with the same label";
    labels.add(option.label);
    parsed.push(option);
  }
  return {
    id,
    header: typeof header === "string" ? header : "",
    question,
    multiSelect: multiSelect === true,
    options: parsed,
  };
}

function toOption(
  value: unknown,
  { id, previewFormat }: QuestionContext,
): QuestionOption | undefined {
  if (!isRecord(value)) return undefined;
  const { label, description, preview } = value;
  if (typeof label !== "string" || label.trim() === "") return undefined;
  return {
    id,
    label,
    ...(typeof description === "string" && description !== "" && { description }),
    ...(typeof preview === "string" &&
      preview !== "" && { preview: { format: previewFormat, content: preview } }),
  };
}

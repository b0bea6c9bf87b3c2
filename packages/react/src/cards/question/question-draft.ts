import { type Answer, isRecord, type Question, type RespondBody } from "@holdpoint/protocol";

/** The person's choices so far, in the order of the questions. */
export interface QuestionDraft {
  /** The index of the current question; the number of questions means the review. */
  readonly step: number;
  readonly answers: readonly AnswerDraft[];
}

export interface AnswerDraft {
  readonly selected: readonly string[];
  readonly otherTicked: boolean;
  /** Kept even while "Other" is not ticked. */
  readonly other: string;
}

export type QuestionAction =
  | { readonly type: "choose"; readonly question: number; readonly optionId: string }
  | { readonly type: "choose_other"; readonly question: number }
  | { readonly type: "type_other"; readonly question: number; readonly text: string }
  | { readonly type: "go"; readonly step: number };

/** A question without a complete answer, and the reason. */
export interface MissingAnswer {
  readonly question: number;
  readonly why: "nothing_chosen" | "other_is_empty";
}

const NOTHING: AnswerDraft = { selected: [], otherTicked: false, other: "" };

/** An empty draft: nothing is preselected. */
export function createQuestionDraft(questions: readonly Question[]): QuestionDraft {
  return { step: 0, answers: questions.map(() => NOTHING) };
}

export function reduceQuestionDraft(
  questions: readonly Question[],
  draft: QuestionDraft,
  action: QuestionAction,
): QuestionDraft {
  if (action.type === "go") {
    const last = questions.length > 1 ? questions.length : 0;
    return { ...draft, step: Math.max(0, Math.min(last, action.step)) };
  }
  const question = questions[action.question];
  const answer = draft.answers[action.question];
  if (question === undefined || answer === undefined) return draft;
  const next = question.multiSelect ? reduceMany(answer, action) : reduceOne(answer, action);
  return { ...draft, answers: draft.answers.with(action.question, next) };
}

type AnswerAction = Exclude<QuestionAction, { type: "go" }>;

function reduceOne(answer: AnswerDraft, action: AnswerAction): AnswerDraft {
  switch (action.type) {
    case "choose":
      return { ...answer, selected: [action.optionId], otherTicked: false };
    case "choose_other":
      return { ...answer, selected: [], otherTicked: true };
    case "type_other": {
      const ticked = action.text !== "";
      const selected = ticked ? [] : answer.selected;
      return { selected, otherTicked: ticked, other: action.text };
    }
  }
}

function reduceMany(answer: AnswerDraft, action: AnswerAction): AnswerDraft {
  switch (action.type) {
    case "choose": {
      const { optionId } = action;
      const selected = answer.selected.includes(optionId)
        ? answer.selected.filter((id) => id !== optionId)
        : [...answer.selected, optionId];
      return { ...answer, selected };
    }
    case "choose_other":
      return { ...answer, otherTicked: !answer.otherTicked };
    case "type_other":
      return { ...answer, otherTicked: action.text !== "", other: action.text };
  }
}

/** Questions that still need an answer, in order; empty if the draft can be submitted. */
export function findMissingAnswers(draft: QuestionDraft): readonly MissingAnswer[] {
  return draft.answers.flatMap(({ selected, otherTicked, other }, question): MissingAnswer[] => {
    if (otherTicked && other.trim() === "") return [{ question, why: "other_is_empty" }];
    if (selected.length === 0 && !otherTicked) return [{ question, why: "nothing_chosen" }];
    return [];
  });
}

/** The answers as they are sent; undefined while any is missing. */
export function toSubmitBody(
  questions: readonly Question[],
  draft: QuestionDraft,
): RespondBody | undefined {
  if (findMissingAnswers(draft).length > 0) return undefined;
  const answers = questions.map((question, index): Answer => {
    const { selected, otherTicked, other } = draft.answers[index] ?? NOTHING;
    // In the order of the options, not in the order of ticking.
    const ids = question.options.map(({ id }) => id).filter((id) => selected.includes(id));
    return { questionId: question.id, selected: ids, ...(otherTicked && { other: other.trim() }) };
  });
  return { action: "submit", answers };
}

/** Parses a stored draft. Undefined if it does not fit the questions. */
export function parseQuestionDraft(
  questions: readonly Question[],
  stored: unknown,
): QuestionDraft | undefined {
  if (!isRecord(stored) || typeof stored["step"] !== "number") return undefined;
  const answers = stored["answers"];
  if (!Array.isArray(answers) || answers.length !== questions.length) return undefined;
  const parsed = answers.map((answer: unknown, index) => parseAnswer(questions[index], answer));
  if (parsed.some((answer) => answer === undefined)) return undefined;
  const draft = { step: 0, answers: parsed.filter((answer) => answer !== undefined) };
  return reduceQuestionDraft(questions, draft, { type: "go", step: Math.trunc(stored["step"]) });
}

function parseAnswer(question: Question | undefined, stored: unknown): AnswerDraft | undefined {
  if (question === undefined || !isRecord(stored)) return undefined;
  const { selected, otherTicked, other } = stored;
  if (!Array.isArray(selected) || typeof otherTicked !== "boolean") return undefined;
  if (typeof other !== "string") return undefined;
  const offered = new Set(question.options.map(({ id }) => id));
  const known = selected.filter((id): id is string => typeof id === "string" && offered.has(id));
  return { selected: question.multiSelect ? known : known.slice(0, 1), otherTicked, other };
}

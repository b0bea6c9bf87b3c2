import { withDistinctLabels, type Question } from "@holdpoint/protocol";
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  type KeyboardEvent,
  type RefObject,
} from "react";

import { useAnnounce } from "../../parts/announcer.tsx";
import { toVisibleString } from "../../parts/visible-string.ts";
import { useWords } from "../../words/use-words.ts";
import type { OpenCardProps } from "../shared/card-shell.tsx";
import { acceptsAnswer } from "../shared/card-state.ts";
import { isComposing, isPlainKey, isTypingTarget } from "../shared/keyboard.ts";
import { useArming } from "../shared/use-arming.ts";
import { useCardDraft } from "../shared/use-card-draft.ts";
import {
  createQuestionDraft,
  findMissingAnswers,
  parseQuestionDraft,
  reduceQuestionDraft,
  toSubmitBody,
  type MissingAnswer,
  type QuestionAction,
  type QuestionDraft,
} from "./question-draft.ts";
import { questionsOf } from "./questions-of.ts";

/** The answers so far, and the ways to continue. */
export interface QuestionModel {
  readonly questions: readonly Question[];
  readonly answerable: boolean;
  readonly submitting: boolean;
  readonly draft: QuestionDraft;
  readonly missing: readonly MissingAnswer[];
  readonly reviewing: boolean;
  /** The next step sends the answers. */
  readonly isLast: boolean;
  /** The current step has been shown long enough to be read. */
  readonly armed: boolean;
  readonly dispatch: (action: QuestionAction) => void;
  readonly go: (step: number) => void;
  readonly skip: () => void;
  readonly advance: () => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

/** The state of open questions. `fields` is the element that contains the current question. */
export function useQuestion(
  { interaction, response, drafts }: OpenCardProps,
  fields: RefObject<HTMLElement | null>,
  isUnshown: boolean,
): QuestionModel {
  const asked = questionsOf(interaction);
  const questions = useMemo(() => withDistinctLabels(asked), [asked]);
  const answerable = acceptsAnswer(response.state);
  const [draft, setDraft] = useCardDraft({
    drafts,
    key: interaction.interactionId,
    initial: createQuestionDraft(questions),
    parse: useCallback((stored: unknown) => parseQuestionDraft(questions, stored), [questions]),
  });
  useStepFocus(fields, questions, draft.step);

  const missing = findMissingAnswers(draft);
  const reviewing = draft.step >= questions.length && questions.length > 1;
  const isLast = questions.length === 1 || reviewing;
  // A double press on the last question must not also send the answers before they were reviewed.
  const armed = useArming(reviewing, false);
  // Moving between questions is always possible.
  const dispatch = (action: QuestionAction): void => {
    if (answerable || action.type === "go") setDraft(reduceQuestionDraft(questions, draft, action));
  };
  const go = (step: number): void => dispatch({ type: "go", step });
  const submit = (): void => {
    const body = toSubmitBody(questions, draft);
    if (body !== undefined) {
      if (armed) response.send(body);
      return;
    }
    go(missing[0]?.question ?? 0);
    requestAnimationFrame(() => focusFirstField(fields.current));
  };
  const advance = (): void => {
    if (!answerable || isUnshown) return;
    if (isLast) submit();
    else go(draft.step + 1);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (!answerable) return;
    if (event.key === "Enter") onEnter(event, advance);
    else if (!reviewing) onDigit(event, { questions, step: draft.step, dispatch, fields });
  };
  return {
    questions,
    answerable,
    submitting: response.state.phase === "submitting",
    draft,
    missing,
    reviewing,
    isLast,
    armed,
    dispatch,
    go,
    skip: () => response.send({ action: "cancel" }),
    advance,
    onKeyDown,
  };
}

/** When another question replaces the focused one, it takes the focus and is announced. */
function useStepFocus(
  fields: RefObject<HTMLElement | null>,
  questions: readonly Question[],
  step: number,
): void {
  const announce = useAnnounce();
  const say = useWords();
  const shown = useRef(step);
  useLayoutEffect(() => {
    if (shown.current === step || document.activeElement !== document.body) return;
    focusFirstField(fields.current);
  }, [fields, step]);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    const text = questions[step]?.question;
    announce(
      text === undefined
        ? say("Review of your answers")
        : say("Question {n} of {all}: {question}", {
            n: step + 1,
            all: questions.length,
            question: toVisibleString(text),
          }),
    );
  }, [announce, say, questions, step]);
}

function focusFirstField(root: HTMLElement | null): void {
  const field = root?.querySelector<HTMLElement>("input, textarea");
  (field ?? root)?.focus({ preventScroll: true });
}

/** Enter goes to the next step, except where it has another meaning; Shift+Enter remains a line break. */
function onEnter(event: KeyboardEvent<HTMLElement>, advance: () => void): void {
  const { target } = event;
  if (isComposing(event) || event.shiftKey || event.repeat) return;
  if (target instanceof HTMLElement && target.closest("button, a, summary") !== null) return;
  event.preventDefault();
  advance();
}

interface DigitContext {
  readonly questions: readonly Question[];
  readonly step: number;
  readonly dispatch: (action: QuestionAction) => void;
  readonly fields: RefObject<HTMLElement | null>;
}

function onDigit(event: KeyboardEvent<HTMLElement>, context: DigitContext): void {
  if (!/^[1-9]$/.test(event.key) || !isPlainKey(event) || isTypingTarget(event.target)) return;
  const { questions, step, dispatch, fields } = context;
  const options = questions[step]?.options ?? [];
  const place = Number(event.key) - 1;
  const option = options[place];
  if (option !== undefined) dispatch({ type: "choose", question: step, optionId: option.id });
  else if (place === options.length) fields.current?.querySelector("textarea")?.focus();
  else return;
  event.preventDefault();
}

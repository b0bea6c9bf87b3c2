import type { Interaction, Question } from "@holdpoint/protocol";
import { MessageCircleQuestionMark } from "lucide-react";
import { useCallback, useId, useRef } from "react";
import type { KeyboardEvent } from "react";

import { CardNotice } from "./card-notice.tsx";
import type { OpenCardProps } from "./card-props.ts";
import { CardShell } from "./card-shell.tsx";
import { isAnswerable } from "./card-state.ts";
import { CardTiming } from "./card-timing.tsx";
import { isComposing, isPlainKey, isTypingTarget } from "./keyboard.ts";
import { QuestionActions } from "./question-actions.tsx";
import {
  createQuestionDraft,
  findMissingAnswers,
  parseQuestionDraft,
  questionsOf,
  reduceQuestionDraft,
  toSubmitBody,
} from "./question-draft.ts";
import type { QuestionAction } from "./question-draft.ts";
import { QuestionFields } from "./question-fields.tsx";
import { QuestionReview } from "./question-review.tsx";
import { QuestionSteps } from "./question-steps.tsx";
import { useDraft } from "./use-draft.ts";

/** Asks one question, or several one after the other with a review at the end. */
export function QuestionCard(props: OpenCardProps) {
  const { interaction, response, drafts } = props;
  const questions = questionsOf(interaction);
  const answerable = isAnswerable(response.state);
  const [draft, setDraft] = useDraft({
    drafts,
    key: interaction.interactionId,
    initial: createQuestionDraft(questions),
    parse: useCallback((stored: unknown) => parseQuestionDraft(questions, stored), [questions]),
  });
  const dispatch = (action: QuestionAction) => {
    if (answerable) setDraft(reduceQuestionDraft(questions, draft, action));
  };

  const fields = useRef<HTMLDivElement>(null);
  const missing = findMissingAnswers(draft);
  const missingId = useId();
  const reviewing = draft.step >= questions.length && questions.length > 1;
  const isLast = questions.length === 1 || reviewing;

  const submit = () => {
    const body = toSubmitBody(questions, draft);
    if (body !== undefined) response.send(body);
    else showMissing();
  };
  const showMissing = () => {
    dispatch({ type: "go", step: missing[0]?.question ?? 0 });
    requestAnimationFrame(() => focusFirstField(fields.current));
  };
  const advance = () => {
    if (isLast) submit();
    else dispatch({ type: "go", step: draft.step + 1 });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (!answerable) return;
    if (event.key === "Enter") onEnter(event, advance);
    else if (!reviewing) onDigit(event, { questions, step: draft.step, dispatch, fields });
  };
  const fieldErrors =
    response.state.phase === "invalid"
      ? response.state.fieldErrors
      : (interaction.fieldErrors ?? {});
  const question = questions[draft.step];
  const answer = draft.answers[draft.step];

  return (
    <CardShell
      {...props}
      interactionId={interaction.interactionId}
      agentId={interaction.agentId}
      tone={isAnswerable(response.state) ? "waiting" : "quiet"}
      kind="question"
      icon={<MessageCircleQuestionMark />}
      title={questionTitle(interaction, questions)}
      meta={<CardTiming interaction={interaction} />}
      onKeyDown={onKeyDown}
    >
      <CardNotice state={response.state} interaction={interaction} onRetry={response.retry} />
      {questions.length > 1 && (
        <QuestionSteps
          questions={questions}
          step={draft.step}
          missing={missing}
          onGo={(step) => dispatch({ type: "go", step })}
        />
      )}
      <div className="hp-card-body" ref={fields}>
        {reviewing && (
          <QuestionReview
            questions={questions}
            draft={draft}
            onGo={(step) => dispatch({ type: "go", step })}
          />
        )}
        {!reviewing && question !== undefined && answer !== undefined && (
          <QuestionFields
            key={question.id}
            question={question}
            answer={answer}
            readOnly={!answerable}
            error={errorOf(fieldErrors, question)}
            onChoose={(optionId) => dispatch({ type: "choose", question: draft.step, optionId })}
            onChooseOther={() => dispatch({ type: "choose_other", question: draft.step })}
            onTypeOther={(text) => dispatch({ type: "type_other", question: draft.step, text })}
          />
        )}
      </div>
      {response.state.phase !== "read_only" && (
        <QuestionActions
          questions={questions}
          draft={draft}
          missing={missing}
          missingId={missingId}
          isLast={isLast}
          answerable={answerable}
          submitting={response.state.phase === "submitting"}
          onSkip={() => response.send({ action: "cancel" })}
          onBack={() => dispatch({ type: "go", step: draft.step - 1 })}
          onAdvance={advance}
        />
      )}
    </CardShell>
  );
}

function questionTitle(interaction: Interaction, questions: readonly Question[]): string {
  if (interaction.prompt !== undefined && interaction.prompt !== "") return interaction.prompt;
  return questions.length === 1 ? "A question for you" : `${questions.length} questions for you`;
}

/** A tool keys its errors by question id, the gateway by the field of the response. */
function errorOf(errors: Readonly<Record<string, string>>, { id }: Question): string | undefined {
  const key = [`answers.${id}`, id].find((name) => Object.hasOwn(errors, name));
  return key === undefined ? undefined : errors[key];
}

function focusFirstField(root: HTMLElement | null): void {
  root?.querySelector<HTMLElement>("input, textarea")?.focus();
}

/** Enter goes on, except where it has a meaning of its own; Shift+Enter stays a line break. */
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
  readonly fields: { readonly current: HTMLElement | null };
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

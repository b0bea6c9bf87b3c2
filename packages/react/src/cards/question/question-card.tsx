import type { Interaction, Question } from "@holdpoint/protocol";
import { MessageCircleQuestionMark } from "lucide-react";
import { useRef, type ReactNode } from "react";

import { UnshownContext, useUnshownParts } from "../../parts/unshown.tsx";
import { CardShell, type OpenCardProps } from "../shared/card-shell.tsx";
import type { CardState } from "../shared/card-state.ts";
import { QuestionActions } from "./question-actions.tsx";
import { QuestionFields } from "./question-fields.tsx";
import { QuestionReview } from "./question-review.tsx";
import { QuestionSteps } from "./question-steps.tsx";
import { useQuestion, type QuestionModel } from "./use-question.ts";

/** Asks one question, or several in turn with a review at the end. */
export function QuestionCard(props: OpenCardProps): ReactNode {
  const { interaction, response } = props;
  const { state } = response;
  const fields = useRef<HTMLDivElement>(null);
  const [unshown, onUnshown] = useUnshownParts();
  const model = useQuestion(props, fields, unshown !== undefined);
  const { questions, draft, missing, reviewing, answerable } = model;
  return (
    <CardShell
      {...props}
      kind="question"
      icon={<MessageCircleQuestionMark />}
      onKeyDown={model.onKeyDown}
      onUnshown={onUnshown}
      actions={<QuestionActions model={model} unshown={unshown?.words} />}
    >
      {questions.length > 1 && (
        <QuestionSteps questions={questions} step={draft.step} missing={missing} onGo={model.go} />
      )}
      <div className="hp-card-body" ref={fields} tabIndex={-1}>
        {/* The person may answer without reading long option texts to the end. */}
        <UnshownContext value={undefined}>
          {reviewing ? (
            <QuestionReview
              questions={questions}
              draft={draft}
              readOnly={!answerable}
              onGo={model.go}
            />
          ) : (
            <CurrentQuestion model={model} errors={errorsOf(state, interaction)} />
          )}
        </UnshownContext>
      </div>
    </CardShell>
  );
}

interface CurrentQuestionProps {
  readonly model: QuestionModel;
  readonly errors: Readonly<Record<string, string>>;
}

function CurrentQuestion({ model, errors }: CurrentQuestionProps): ReactNode {
  const { questions, draft, answerable, dispatch } = model;
  const { step } = draft;
  const question = questions[step];
  const answer = draft.answers[step];
  if (question === undefined || answer === undefined) return null;
  return (
    <QuestionFields
      key={question.id}
      question={question}
      answer={answer}
      readOnly={!answerable}
      error={errorOf(errors, question)}
      onChoose={(optionId) => dispatch({ type: "choose", question: step, optionId })}
      onChooseOther={() => dispatch({ type: "choose_other", question: step })}
      onTypeOther={(text) => dispatch({ type: "type_other", question: step, text })}
    />
  );
}

function errorsOf(state: CardState, interaction: Interaction): Readonly<Record<string, string>> {
  return state.phase === "invalid" ? state.fieldErrors : (interaction.fieldErrors ?? {});
}

/** The tool keys its errors by question id, the gateway by the field of the response. */
function errorOf(errors: Readonly<Record<string, string>>, { id }: Question): string | undefined {
  const key = [`answers.${id}`, id].find((name) => Object.hasOwn(errors, name));
  return key === undefined ? undefined : errors[key];
}

import type { Question } from "@holdpoint/protocol";
import { Check } from "lucide-react";
import type { ReactNode } from "react";

import { usePaged } from "../../parts/use-paged.tsx";
import { BriefText } from "../../parts/visible-text.tsx";
import { useWords } from "../../words/use-words.ts";
import type { MissingAnswer } from "./question-draft.ts";

interface QuestionStepsProps {
  readonly questions: readonly Question[];
  readonly step: number;
  readonly missing: readonly MissingAnswer[];
  readonly onGo: (step: number) => void;
}

/** How many questions are listed at a time. */
const STEPS_AT_ONCE = 30;

/** The position among several questions, and which of them have been answered. */
export function QuestionSteps({ questions, step, missing, onGo }: QuestionStepsProps): ReactNode {
  const say = useWords();
  const lacking = new Set(missing.map(({ question }) => question));
  const { shown, more } = usePaged(questions, STEPS_AT_ONCE);
  return (
    <div className="hp-steps">
      <ol aria-label={say("Questions")}>
        {shown.map((question, index) => (
          <li key={question.id}>
            <button
              type="button"
              className="hp-step"
              aria-current={index === step ? "step" : undefined}
              data-answered={!lacking.has(index) || undefined}
              onClick={() => onGo(index)}
            >
              <span className="hp-step-mark" aria-hidden="true">
                {lacking.has(index) ? index + 1 : <Check />}
              </span>
              <span className="hp-step-label">
                <BriefText text={question.header === "" ? `${index + 1}` : question.header} />
              </span>
              {!lacking.has(index) && (
                <span className="hp-visually-hidden">{say(", answered")}</span>
              )}
            </button>
          </li>
        ))}
        {more !== null && <li>{more}</li>}
        <li>
          <button
            type="button"
            className="hp-step"
            aria-current={step >= questions.length ? "step" : undefined}
            onClick={() => onGo(questions.length)}
          >
            <span className="hp-step-label">{say("Review")}</span>
          </button>
        </li>
      </ol>
    </div>
  );
}

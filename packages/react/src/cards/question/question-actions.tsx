import type { Question } from "@holdpoint/protocol";
import { useId, type ReactNode } from "react";

import { Button } from "../../parts/button.tsx";
import { KeyHint } from "../../parts/key-hint.tsx";
import { toVisibleString } from "../../parts/visible-string.ts";
import { useWords, type Say } from "../../words/use-words.ts";
import type { MissingAnswer } from "./question-draft.ts";
import type { QuestionModel } from "./use-question.ts";

interface QuestionActionsProps {
  readonly model: QuestionModel;
  /** A part that could not be shown, so the question cannot be answered. */
  readonly unshown: string | undefined;
}

/** Skip, Back, and Next or Submit, with a list of missing answers next to Submit. */
export function QuestionActions({ model, unshown }: QuestionActionsProps): ReactNode {
  const say = useWords();
  const { questions, draft, missing, isLast, answerable } = model;
  const missingId = useId();
  const lacking = isLast && missing.length > 0 ? missingWords(questions, missing, say) : undefined;
  const hint = lacking ?? unshown;
  return (
    <div className="hp-actions">
      <Button tone="quiet" blocked={!answerable} onClick={model.skip}>
        {questions.length === 1 ? say("Skip") : say("Skip all")}
      </Button>
      <span className="hp-actions-space" id={missingId}>
        {hint !== undefined && <span className="hp-missing">{hint}</span>}
      </span>
      {questions.length > 1 && draft.step > 0 && (
        <Button blocked={!answerable} onClick={() => model.go(draft.step - 1)}>
          {say("Back")}
        </Button>
      )}
      <AdvanceButton model={model} describedBy={hint === undefined ? undefined : missingId} />
    </div>
  );
}

interface AdvanceButtonProps {
  readonly model: QuestionModel;
  /** The id of the text that names missing parts. If there is one, the button is blocked. */
  readonly describedBy: string | undefined;
}

function AdvanceButton({ model, describedBy }: AdvanceButtonProps): ReactNode {
  const say = useWords();
  const { isLast, answerable, armed, submitting, advance } = model;
  return (
    <Button
      tone="primary"
      className="hp-advance"
      blocked={!answerable || (isLast && !armed) || describedBy !== undefined}
      // Moves to the first missing answer.
      onBlocked={advance}
      aria-describedby={describedBy}
      onClick={advance}
    >
      {submitting ? say("Sending…") : isLast ? say("Submit") : say("Next")}
      {!submitting && <KeyHint>↵</KeyHint>}
    </Button>
  );
}

function missingWords(
  questions: readonly Question[],
  missing: readonly MissingAnswer[],
  say: Say,
): string {
  const [first] = missing;
  if (questions.length === 1) {
    return say(first?.why === "other_is_empty" ? "Fill in “Other”" : "Choose an answer");
  }
  const names = missing.map(({ question }) =>
    toVisibleString(questions[question]?.header || say("question {n}", { n: question + 1 })),
  );
  return say("Still to answer: {names}", { names: names.join(", ") });
}

import type { Question } from "@holdpoint/protocol";

import { Button } from "../parts/button.tsx";
import { KeyHint } from "../parts/key-hint.tsx";
import { toVisibleString } from "../parts/mark-hidden.ts";
import type { MissingAnswer, QuestionDraft } from "./question-draft.ts";

interface QuestionActionsProps {
  questions: readonly Question[];
  draft: QuestionDraft;
  missing: readonly MissingAnswer[];
  missingId: string;
  isLast: boolean;
  answerable: boolean;
  submitting: boolean;
  onSkip: () => void;
  onBack: () => void;
  onAdvance: () => void;
}

/** Skip, Back, and Next or Submit; Submit says what is missing. */
export function QuestionActions(props: QuestionActionsProps) {
  const { questions, draft, missing, missingId, isLast, answerable, submitting } = props;
  const lacking = isLast && missing.length > 0;
  return (
    <div className="hp-actions">
      <Button tone="quiet" blocked={!answerable} onClick={props.onSkip}>
        {questions.length === 1 ? "Skip" : "Skip all"}
      </Button>
      <span className="hp-actions-space" id={missingId}>
        {lacking && <span className="hp-missing">{missingWords(questions, missing)}</span>}
      </span>
      {questions.length > 1 && draft.step > 0 && (
        <Button blocked={!answerable} onClick={props.onBack}>
          Back
        </Button>
      )}
      <Button
        tone="primary"
        className="hp-advance"
        blocked={!answerable || lacking}
        onBlocked={lacking && answerable ? props.onAdvance : undefined}
        aria-describedby={lacking ? missingId : undefined}
        onClick={props.onAdvance}
      >
        {submitting ? "Sending…" : isLast ? "Submit" : "Next"}
        {!submitting && <KeyHint>↵</KeyHint>}
      </Button>
    </div>
  );
}

function missingWords(questions: readonly Question[], missing: readonly MissingAnswer[]): string {
  const [first] = missing;
  if (questions.length === 1) {
    return first?.why === "other_is_empty" ? "Say what “Other” is" : "Choose an answer";
  }
  const names = missing.map(({ question }) =>
    toVisibleString(questions[question]?.header || `question ${question + 1}`),
  );
  return `Still to answer: ${names.join(", ")}`;
}

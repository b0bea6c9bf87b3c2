import type { Question } from "@holdpoint/protocol";
import type { ReactNode } from "react";

import { Button } from "../../parts/button.tsx";
import { Chip } from "../../parts/chip.tsx";
import { toVisibleString } from "../../parts/visible-string.ts";
import { VisibleText } from "../../parts/visible-text.tsx";
import { useWords } from "../../words/use-words.ts";
import { ChosenList } from "./chosen-list.tsx";
import type { AnswerDraft, QuestionDraft } from "./question-draft.ts";

interface QuestionReviewProps {
  readonly questions: readonly Question[];
  readonly draft: QuestionDraft;
  readonly readOnly: boolean;
  readonly onGo: (step: number) => void;
}

export function QuestionReview({
  questions,
  draft,
  readOnly,
  onGo,
}: QuestionReviewProps): ReactNode {
  const say = useWords();
  return (
    <dl className="hp-answers">
      {questions.map((question, index) => (
        <div className="hp-answer hp-answer-review" key={question.id}>
          <dt>
            {question.header !== "" && <Chip text={question.header} tone="plain" />}
            <span className="hp-answer-question">
              <VisibleText text={question.question} />
            </span>
          </dt>
          <dd>
            <AnswerText question={question} answer={draft.answers[index]} />
          </dd>
          <dd className="hp-answer-change">
            <Button
              tone="quiet"
              blocked={readOnly}
              aria-label={say("Change the answer to {question}", {
                question: toVisibleString(question.header) || say("question {n}", { n: index + 1 }),
              })}
              onClick={() => onGo(index)}
            >
              {say("Change")}
            </Button>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function AnswerText({
  question,
  answer,
}: {
  readonly question: Question;
  readonly answer: AnswerDraft | undefined;
}): ReactNode {
  const say = useWords();
  const other = answer?.otherTicked === true ? answer.other.trim() : "";
  const labels = question.options
    .filter(({ id }) => answer?.selected.includes(id))
    .map(({ label }) => label);
  if (labels.length === 0 && other === "") {
    return <span className="hp-answer-none">{say("No answer yet")}</span>;
  }
  return <ChosenList labels={labels} other={other} />;
}

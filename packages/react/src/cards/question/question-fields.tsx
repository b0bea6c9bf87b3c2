import type { Question, QuestionOption } from "@holdpoint/protocol";
import { TriangleAlert } from "lucide-react";
import { useId, useState, type ReactNode } from "react";

import { Boundary } from "../../parts/boundary.tsx";
import { Chip } from "../../parts/chip.tsx";
import { KeyHint } from "../../parts/key-hint.tsx";
import { usePaged } from "../../parts/use-paged.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";
import { useWords } from "../../words/use-words.ts";
import { OptionPreviewPane } from "./option-preview.tsx";
import type { AnswerDraft } from "./question-draft.ts";

interface QuestionFieldsProps {
  readonly question: Question;
  readonly answer: AnswerDraft;
  readonly readOnly: boolean;
  readonly error?: string | undefined;
  readonly onChoose: (optionId: string) => void;
  readonly onChooseOther: () => void;
  readonly onTypeOther: (text: string) => void;
}

/** How many options are drawn at a time. */
const OPTIONS_AT_ONCE = 50;

/** One question with its options, its "Other", and the preview of the focused option. */
export function QuestionFields(props: QuestionFieldsProps): ReactNode {
  const say = useWords();
  const { question, answer, readOnly, error, onChoose, onChooseOther, onTypeOther } = props;
  const name = useId();
  const errorId = useId();
  const [focused, setFocused] = useState<string>();
  const previewed = findPreviewed(question, [focused, ...answer.selected]);
  const inputType = question.multiSelect ? "checkbox" : "radio";
  const { shown, more } = usePaged(question.options, OPTIONS_AT_ONCE);

  return (
    <div className={previewed === undefined ? "hp-question" : "hp-question hp-question-previewed"}>
      <fieldset
        className="hp-fieldset"
        aria-describedby={error === undefined ? undefined : errorId}
      >
        <legend className="hp-legend">
          {question.header !== "" && <Chip text={question.header} />}
          <span className="hp-question-text">
            <VisibleText text={question.question} />
          </span>
        </legend>
        {question.multiSelect && <p className="hp-hint">{say("Choose any number.")}</p>}
        <div className="hp-options">
          {shown.map((option, index) => (
            <OptionRow
              key={option.id}
              option={option}
              inputType={inputType}
              name={name}
              number={index + 1}
              checked={answer.selected.includes(option.id)}
              readOnly={readOnly}
              onChoose={() => onChoose(option.id)}
              onFocus={() => setFocused(option.id)}
            />
          ))}
          {more}
          <OtherRow
            answer={answer}
            inputType={inputType}
            name={name}
            number={question.options.length + 1}
            readOnly={readOnly}
            onChooseOther={onChooseOther}
            onTypeOther={onTypeOther}
          />
        </div>
        {error !== undefined && (
          <p className="hp-field-error" id={errorId}>
            <TriangleAlert aria-hidden />
            <VisibleText text={say.translate(error)} />
          </p>
        )}
      </fieldset>
      {previewed !== undefined && <OptionPreviewPane option={previewed} />}
    </div>
  );
}

/**
 * The option to preview: the focused or the chosen one, or else the first with a preview. Not the hovered one: nothing
 * may change under a pointer that is about to press.
 */
function findPreviewed(
  question: Question,
  candidates: readonly (string | undefined)[],
): QuestionOption | undefined {
  const first = question.options.find(({ preview }) => preview !== undefined);
  if (first === undefined) return undefined;
  const wanted = candidates.find((id) => question.options.some((option) => option.id === id));
  return question.options.find(({ id }) => id === wanted) ?? first;
}

interface OptionRowProps {
  readonly option: QuestionOption;
  readonly inputType: "radio" | "checkbox";
  readonly name: string;
  readonly number: number;
  readonly checked: boolean;
  readonly readOnly: boolean;
  readonly onChoose: () => void;
  readonly onFocus: () => void;
}

/** One option. An error in drawing it does not affect the others. */
function OptionRow(props: OptionRowProps): ReactNode {
  return (
    <Boundary>
      <Option {...props} />
    </Boundary>
  );
}

function Option(props: OptionRowProps): ReactNode {
  const { option, inputType, name, number, checked, readOnly } = props;
  const descriptionId = useId();
  return (
    <label className="hp-option" data-checked={checked || undefined}>
      <input
        type={inputType}
        name={name}
        checked={checked}
        aria-disabled={readOnly || undefined}
        aria-describedby={option.description === undefined ? undefined : descriptionId}
        onChange={props.onChoose}
        onFocus={props.onFocus}
      />
      <span className="hp-option-words">
        <span className="hp-option-label">
          <VisibleText text={option.label} short />
        </span>
        {option.description !== undefined && (
          <span className="hp-option-description" id={descriptionId} aria-hidden="true">
            <VisibleText text={option.description} />
          </span>
        )}
      </span>
      {number <= 9 && <KeyHint>{String(number)}</KeyHint>}
    </label>
  );
}

interface OtherRowProps {
  readonly answer: AnswerDraft;
  readonly inputType: "radio" | "checkbox";
  readonly name: string;
  readonly number: number;
  readonly readOnly: boolean;
  readonly onChooseOther: () => void;
  readonly onTypeOther: (text: string) => void;
}

const MAX_OTHER_LENGTH = 16_384;

function OtherRow(props: OtherRowProps): ReactNode {
  const say = useWords();
  const { answer, inputType, name, number, readOnly, onChooseOther, onTypeOther } = props;
  const inputId = useId();
  return (
    <div className="hp-option hp-option-other" data-checked={answer.otherTicked || undefined}>
      <input
        type={inputType}
        name={name}
        id={inputId}
        checked={answer.otherTicked}
        aria-disabled={readOnly || undefined}
        onChange={onChooseOther}
      />
      <label className="hp-option-label" htmlFor={inputId}>
        {say("Other")}
      </label>
      <textarea
        className="hp-other-text"
        aria-label={say("Other, in your own words")}
        placeholder={say("in your own words…")}
        rows={answer.other.split("\n").length}
        maxLength={MAX_OTHER_LENGTH}
        value={answer.other}
        readOnly={readOnly}
        onChange={(event) => onTypeOther(event.target.value)}
      />
      {number <= 9 && <KeyHint>{String(number)}</KeyHint>}
    </div>
  );
}

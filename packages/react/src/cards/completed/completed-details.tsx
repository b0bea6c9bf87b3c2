import {
  isKept,
  withDistinctLabels,
  type Approval,
  type Interaction,
  type InteractionResponse,
} from "@holdpoint/protocol";
import type { ReactNode } from "react";

import { Chip } from "../../parts/chip.tsx";
import { DiffView } from "../../parts/diff-view.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";
import { useWords } from "../../words/use-words.ts";
import { AgentSays } from "../approval/agent-says.tsx";
import { ApprovalFacts } from "../approval/approval-facts.tsx";
import { ApprovalSubjectView } from "../approval/approval-subject-view.tsx";
import { toEditDifference } from "../approval/edit-difference.ts";
import { FormValues } from "../form/form-values.tsx";
import { toAnsweredQuestions } from "../question/answer-labels.ts";

/** Stands in for a missing response: no field has a value. */
const NO_RESPONSE: InteractionResponse = { action: "cancel" };

interface DetailsProps {
  readonly interaction: Interaction;
  readonly response: InteractionResponse | undefined;
}

/** The whole request and its result. */
export function CompletedDetails({ interaction, response }: DetailsProps): ReactNode {
  const { approval, form, completedView } = interaction;
  const showsInputs = completedView?.showInputs !== false;
  return (
    <div className="hp-done-body">
      {interaction.prompt !== undefined && (
        <p className="hp-done-prompt">
          <VisibleText text={interaction.prompt} />
        </p>
      )}
      {approval !== undefined && <ApprovalDetails {...{ interaction, approval, response }} />}
      {interaction.questions !== undefined && (
        <QuestionDetails interaction={interaction} response={showsInputs ? response : undefined} />
      )}
      {form !== undefined && showsInputs && (
        <FormValues form={form} response={response ?? NO_RESPONSE} />
      )}
    </div>
  );
}

/** The allowed input is always shown, since it is the record of the call. */
function ApprovalDetails(props: DetailsProps & { readonly approval: Approval }): ReactNode {
  const say = useWords();
  const { interaction, approval, response } = props;
  const edited = response?.editedInput;
  return (
    <>
      <ApprovalFacts interaction={interaction} approval={approval} />
      <ApprovalSubjectView
        interaction={interaction}
        approval={approval}
        opened
        onOpen={() => undefined}
      />
      {edited !== undefined && (
        <DiffView
          {...toEditDifference(approval.input, edited)}
          caption={say("Edited before it was allowed")}
        />
      )}
      <AgentSays approval={approval} isProgram={isKept(interaction)} />
    </>
  );
}

function QuestionDetails({ interaction, response }: DetailsProps): ReactNode {
  const questions = withDistinctLabels(interaction.questions ?? []);
  const answered = toAnsweredQuestions(questions, response?.answers ?? []);
  return (
    <dl className="hp-answers">
      {answered.map(({ id, header, question, labels, other }, index) => (
        <div className="hp-answer" key={id}>
          <dt>
            {header !== "" && <Chip text={header} tone="plain" />}
            <span className="hp-answer-question">
              <VisibleText text={question} />
            </span>
          </dt>
          <dd>
            <ul className="hp-offered">
              {(questions[index]?.options ?? []).map((option) => (
                <li key={option.id} data-chosen={labels.includes(option.label) || undefined}>
                  <VisibleText text={option.label} short />
                </li>
              ))}
              {other !== "" && (
                <li data-chosen>
                  “<VisibleText text={other} />”
                </li>
              )}
            </ul>
          </dd>
        </div>
      ))}
    </dl>
  );
}

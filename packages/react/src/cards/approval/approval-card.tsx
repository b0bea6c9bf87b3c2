import { isKept } from "@holdpoint/protocol";
import { Shield, ShieldAlert } from "lucide-react";
import type { ReactNode } from "react";

import { Boundary } from "../../parts/boundary.tsx";
import { UnshownContext, useUnshownParts } from "../../parts/unshown.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";
import { useWords } from "../../words/use-words.ts";
import { CardShell } from "../shared/card-shell.tsx";
import type { CardState } from "../shared/card-state.ts";
import { AgentSays } from "./agent-says.tsx";
import { ApprovalActions } from "./approval-actions.tsx";
import { ApprovalEditor } from "./approval-editor.tsx";
import { ApprovalFacts } from "./approval-facts.tsx";
import { ApprovalSubjectView } from "./approval-subject-view.tsx";
import { DenyForm } from "./deny-form.tsx";
import { useApproval, type ApprovalModel, type ApprovalProps } from "./use-approval.ts";

/** Asks whether a tool call may run. Shows the stored input, and sends its digest with the answer. */
export function ApprovalCard(props: ApprovalProps): ReactNode {
  const { interaction, approval, response } = props;
  const { state } = response;
  const [unshown, onUnshown] = useUnshownParts();
  const model = useApproval(props, unshown);
  const { answerable, edit, editText, denying } = model;
  const opening = { opened: model.opened, onOpen: model.open };

  return (
    <CardShell
      {...props}
      kind="approval"
      onUnshown={onUnshown}
      icon={model.deliberate ? <ShieldAlert /> : <Shield />}
      onKeyDown={model.onKeyDown}
      actions={
        denying ? <DenyForm model={model} /> : <ApprovalActions approval={approval} model={model} />
      }
    >
      <div className="hp-card-body">
        <Boundary>
          <ApprovalFacts interaction={interaction} approval={approval} />
        </Boundary>
        {edit !== undefined && editText !== undefined ? (
          <ApprovalEditor
            input={approval.input}
            subject={model.editSubject}
            text={editText}
            edit={edit}
            readOnly={!answerable}
            onChange={model.setEditText}
            onWhole={() => model.startEdit(true)}
          />
        ) : (
          <Boundary>
            <ApprovalSubjectView interaction={interaction} approval={approval} {...opening} />
          </Boundary>
        )}
        <FieldErrors state={state} />
        {/* The agent's own words do not run, so they need not be read to the end. */}
        <Boundary>
          <UnshownContext value={undefined}>
            <AgentSays approval={approval} isProgram={isKept(interaction)} />
          </UnshownContext>
        </Boundary>
        {model.deliberate && answerable && !denying && <Confirmation model={model} />}
      </div>
    </CardShell>
  );
}

/** The checkbox for tools that require a deliberate yes. */
function Confirmation({ model }: { readonly model: ApprovalModel }): ReactNode {
  const say = useWords();
  return (
    <label className="hp-confirm">
      <input
        type="checkbox"
        checked={model.confirmed}
        onChange={(event) => model.confirm(event.target.checked)}
      />
      <span>{say("I have read this and want it to run.")}</span>
    </label>
  );
}

/** An approval has no fields, so errors about its parts are shown below the input. */
function FieldErrors({ state }: { readonly state: CardState }): ReactNode {
  const say = useWords();
  if (state.phase !== "invalid") return null;
  const messages = Object.entries(state.fieldErrors);
  if (messages.length === 0) return null;
  return (
    <ul className="hp-field-errors">
      {messages.map(([field, message]) => (
        <li key={field} className="hp-field-error">
          <VisibleText
            text={
              field === "editedInput"
                ? say.translate(message)
                : `${field}: ${say.translate(message)}`
            }
          />
        </li>
      ))}
    </ul>
  );
}

import { Shield, ShieldAlert } from "lucide-react";
import type { ReactNode } from "react";

import { UnshownContext, useUnshownParts } from "../../parts/unshown.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";
import { CardShell } from "../shared/card-shell.tsx";
import type { CardState } from "../shared/card-state.ts";
import { AgentSays } from "./agent-says.tsx";
import { ApprovalActions } from "./approval-actions.tsx";
import { ApprovalEditor } from "./approval-editor.tsx";
import { ApprovalFacts } from "./approval-facts.tsx";
import { ApprovalScopes } from "./approval-scopes.tsx";
import { ApprovalSubjectView } from "./approval-subject-view.tsx";
import { DenyForm } from "./deny-form.tsx";
import { useApproval, type ApprovalModel, type ApprovalProps } from "./use-approval.ts";

/** Asks whether a tool call may run. It shows the stored input, and sends its digest back with the answer. */
export function ApprovalCard(props: ApprovalProps): ReactNode {
  const { interaction, approval, response } = props;
  const { state } = response;
  const [unshown, onUnshown] = useUnshownParts();
  const model = useApproval(props, unshown);
  const { answerable, gate, edit, editText, denying } = model;
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
        <ApprovalFacts toolName={interaction.toolName} approval={approval} />
        {edit !== undefined && editText !== undefined ? (
          <ApprovalEditor
            input={approval.input}
            text={editText}
            edit={edit}
            readOnly={!answerable}
            onChange={model.setEditText}
          />
        ) : (
          <ApprovalSubjectView approval={approval} {...opening} />
        )}
        <FieldErrors state={state} />
        {/* The agent's own words do not run: they need not be read to the end. */}
        <UnshownContext value={undefined}>
          <AgentSays approval={approval} />
        </UnshownContext>
        {model.deliberate && answerable && !denying && <Confirmation model={model} />}
        {edit === undefined && !denying && state.phase !== "read_only" && (
          <ApprovalScopes approval={approval} gate={gate} onAllow={model.allow} />
        )}
      </div>
    </CardShell>
  );
}

/** The deliberate yes that some tools require. */
function Confirmation({ model }: { readonly model: ApprovalModel }): ReactNode {
  return (
    <label className="hp-confirm">
      <input
        type="checkbox"
        checked={model.confirmed}
        onChange={(event) => model.confirm(event.target.checked)}
      />
      <span>I have read what will run, and want it to run.</span>
    </label>
  );
}

/** An approval has no fields, so errors about its parts stand below the input. */
function FieldErrors({ state }: { readonly state: CardState }): ReactNode {
  if (state.phase !== "invalid") return null;
  const messages = Object.entries(state.fieldErrors);
  if (messages.length === 0) return null;
  return (
    <ul className="hp-field-errors">
      {messages.map(([field, message]) => (
        <li key={field} className="hp-field-error">
          <VisibleText text={`${field}: ${message}`} />
        </li>
      ))}
    </ul>
  );
}

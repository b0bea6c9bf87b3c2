import { isKept } from "@holdpoint/protocol";
import { Shield, ShieldAlert } from "lucide-react";
import type { ReactNode } from "react";

import { Boundary } from "../../parts/boundary.tsx";
import { preloadDiff } from "../../parts/diff-view.tsx";
import { createLazyPart } from "../../parts/lazy-part.tsx";
import { UnshownContext, useUnshown, useUnshownParts } from "../../parts/unshown.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";
import { useWords } from "../../words/use-words.ts";
import { CardShell } from "../shared/card-shell.tsx";
import type { CardState } from "../shared/card-state.ts";
import { AgentSays } from "./agent-says.tsx";
import { ApprovalActions, preloadScopes } from "./approval-actions.tsx";
import type { ApprovalEditorProps } from "./approval-editor.tsx";
import { ApprovalFacts } from "./approval-facts.tsx";
import { ApprovalSubjectView } from "./approval-subject-view.tsx";
import { useApproval, type ApprovalModel, type ApprovalProps } from "./use-approval.ts";

const EDITOR = createLazyPart<ApprovalEditorProps>(
  EditorInstead,
  async () => (await import("./approval-editor.tsx")).ApprovalEditor,
);

const DENY_FORM = createLazyPart(
  "The reason form",
  async () => (await import("./deny-form.tsx")).DenyForm,
);

/** Loads the parts that only some approvals have, ahead of their first use. Rejects when one cannot be loaded. */
export async function preloadApproval(): Promise<void> {
  await Promise.all([EDITOR.preload(), DENY_FORM.preload(), preloadScopes(), preloadDiff()]);
}

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
        denying ? (
          <DENY_FORM.Part model={model} />
        ) : (
          <ApprovalActions approval={approval} model={model} />
        )
      }
    >
      <div className="hp-card-body">
        <Boundary>
          <ApprovalFacts interaction={interaction} approval={approval} />
        </Boundary>
        {edit !== undefined && editText !== undefined ? (
          <EDITOR.Part
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

function EditorInstead({ failed }: { readonly failed: boolean }): ReactNode {
  const say = useWords();
  useUnshown(say("View the editor first"));
  return (
    failed && (
      <p className="hp-hint">
        {say(
          "The editor could not be loaded. Loading is retried when the gateway is back. If that does not help, reload the page.",
        )}
      </p>
    )
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
            text={field === "editedInput" ? say.given(message) : `${field}: ${say.given(message)}`}
          />
        </li>
      ))}
    </ul>
  );
}

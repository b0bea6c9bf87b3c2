import type { Approval, ApprovalScope } from "@holdpoint/protocol";
import { Shield, ShieldAlert } from "lucide-react";
import { useCallback, useId, useState } from "react";
import type { KeyboardEvent } from "react";

import { VisibleText } from "../parts/visible-text.tsx";
import { AgentSays } from "./agent-says.tsx";
import { ApprovalActions } from "./approval-actions.tsx";
import { createApprovalDraft, parseApprovalDraft } from "./approval-draft.ts";
import type { ApprovalDraft } from "./approval-draft.ts";
import { parseEdit, toEditText } from "./approval-edit.ts";
import { ApprovalEditor } from "./approval-editor.tsx";
import { ApprovalFacts } from "./approval-facts.tsx";
import { toAllowGate } from "./approval-gate.ts";
import { ApprovalScopes } from "./approval-scopes.tsx";
import { ApprovalSubjectView, useSubjectView } from "./approval-subject-view.tsx";
import { toApprovalTitle } from "./approval-title.ts";
import { CardNotice } from "./card-notice.tsx";
import type { OpenCardProps } from "./card-props.ts";
import { CardShell } from "./card-shell.tsx";
import { isAnswerable } from "./card-state.ts";
import { CardTiming } from "./card-timing.tsx";
import { DenyForm } from "./deny-form.tsx";
import { isPlainKey } from "./keyboard.ts";
import { useArming } from "./use-arming.ts";
import { useDraft } from "./use-draft.ts";

/** Asks whether something may run. What is shown comes from the stored input; its digest goes back with the answer. */
export function ApprovalCard(props: OpenCardProps & { approval: Approval }) {
  const { interaction, approval, response } = props;
  const answerable = isAnswerable(response.state);
  const confirmId = useId();
  const view = useSubjectView(approval);
  const [draft, setDraft] = useApprovalDraft(props);
  const [openedDigest, setOpenedDigest] = useState<string>();
  const [confirmedDigest, setConfirmedDigest] = useState<string>();
  const [denying, setDenying] = useState(false);

  const { digest } = approval;
  const opened = openedDigest === digest;
  const deliberate = approval.defaultToDeny === true;
  const editing = approval.editable && draft.editText !== undefined;
  const edit = editing ? parseEdit(approval.input, draft.editText ?? "") : undefined;
  const armed = useArming(JSON.stringify([digest, interaction.attempt, draft.editText]));
  const gate = toAllowGate({
    answerable,
    armed,
    unopened: opened || editing ? undefined : view.amount,
    unconfirmed: deliberate && confirmedDigest !== digest,
    edit: edit?.status ?? "none",
  });

  const allow = (approvalScope: ApprovalScope) => {
    if (!gate.open) return;
    response.send({
      action: "approve",
      digest,
      approvalScope,
      ...(edit?.status === "changed" && { editedInput: edit.input }),
    });
  };
  const deny = (stopTurn: boolean) => {
    if (!answerable) return;
    const reason = denying ? draft.reason.trim() : "";
    response.send({
      action: "deny",
      ...(reason !== "" && { reason }),
      ...(stopTurn && { stopTurn }),
    });
  };
  const primaryScope = approval.scopes.includes("once") ? "once" : approval.scopes[0];
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    // Only the card itself: a key pressed on anything inside it belongs to that.
    if (event.target !== event.currentTarget || !isPlainKey(event) || denying || editing) return;
    const key = event.key.toLowerCase();
    if (key === "d") deny(false);
    else if (key === "a" && !deliberate && primaryScope !== undefined) allow(primaryScope);
    else return;
    event.preventDefault();
  };
  const submitting = response.state.phase === "submitting";

  return (
    <CardShell
      {...props}
      interactionId={interaction.interactionId}
      agentId={interaction.agentId}
      tone={answerable ? "waiting" : "quiet"}
      kind="approval"
      icon={deliberate ? <ShieldAlert /> : <Shield />}
      title={toApprovalTitle(interaction)}
      meta={<CardTiming interaction={interaction} />}
      onKeyDown={onKeyDown}
    >
      <CardNotice state={response.state} interaction={interaction} onRetry={response.retry} />
      <div className="hp-card-body">
        <ApprovalFacts toolName={interaction.toolName} approval={approval} />
        {editing && edit !== undefined ? (
          <ApprovalEditor
            input={approval.input}
            text={draft.editText ?? ""}
            edit={edit}
            readOnly={!answerable}
            onChange={(editText) => setDraft({ ...draft, editText, digest })}
          />
        ) : (
          <ApprovalSubjectView view={view} opened={opened} onOpen={() => setOpenedDigest(digest)} />
        )}
        <FieldErrors state={response.state} />
        <AgentSays approval={approval} />
        {deliberate && answerable && !denying && (
          <label className="hp-confirm" htmlFor={confirmId}>
            <input
              id={confirmId}
              type="checkbox"
              checked={confirmedDigest === digest}
              onChange={(event) => setConfirmedDigest(event.target.checked ? digest : undefined)}
            />
            <span>I have read what will run, and want it to run.</span>
          </label>
        )}
        {!editing && !denying && response.state.phase !== "read_only" && (
          <ApprovalScopes approval={approval} gate={gate} onAllow={allow} />
        )}
      </div>
      {response.state.phase !== "read_only" &&
        (denying ? (
          <DenyForm
            reason={draft.reason}
            answerable={answerable}
            submitting={submitting}
            onReason={(reason) => setDraft({ ...draft, reason })}
            onDeny={deny}
            onClose={() => setDenying(false)}
          />
        ) : (
          <ApprovalActions
            approval={approval}
            gate={gate}
            armed={armed}
            answerable={answerable}
            submitting={submitting}
            editing={editing}
            primaryScope={primaryScope}
            onDeny={() => deny(false)}
            onOpenDeny={() => setDenying(true)}
            onEdit={() => setDraft({ ...draft, editText: toEditText(approval.input), digest })}
            onDiscard={() => setDraft({ reason: draft.reason, digest })}
            onAllow={allow}
          />
        ))}
    </CardShell>
  );
}

function useApprovalDraft({
  drafts,
  interaction,
  approval,
}: OpenCardProps & { approval: Approval }) {
  const { digest } = approval;
  const [draft, setDraft] = useDraft<ApprovalDraft>({
    drafts,
    key: interaction.interactionId,
    initial: createApprovalDraft(digest),
    parse: useCallback((stored: unknown) => parseApprovalDraft(digest, stored), [digest]),
  });
  const current = draft.digest === digest ? draft : { reason: draft.reason, digest };
  return [current, setDraft] as const;
}

/** An approval has no fields to stand at, so what the gateway says about its parts stands below what will run. */
function FieldErrors({ state }: { state: OpenCardProps["response"]["state"] }) {
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

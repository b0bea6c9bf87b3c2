import type { Approval, ApprovalScope } from "@holdpoint/protocol";
import { useCallback, useState, type KeyboardEvent } from "react";

import type { OpenCardProps } from "../card-props.ts";
import { acceptsAnswer } from "../card-state.ts";
import { isPlainKey } from "../keyboard.ts";
import { useCardDraft } from "../use-card-draft.ts";
import { createApprovalDraft, parseApprovalDraft, type ApprovalDraft } from "./approval-draft.ts";
import { parseEdit, toEditText } from "./approval-edit.ts";
import { toAllowGate } from "./approval-gate.ts";
import type { SubjectView } from "./approval-subject-view.tsx";
import { useArming } from "./use-arming.ts";

export type ApprovalProps = OpenCardProps & { approval: Approval };

/** What a person can do with an approval, and what they have done to it so far. */
export function useApproval(props: ApprovalProps, view: SubjectView) {
  const { interaction, approval, response } = props;
  const { digest } = approval;
  const answerable = acceptsAnswer(response.state);
  const [draft, setDraft] = useApprovalDraft(props);
  // By digest: having seen or confirmed one input says nothing of another.
  const [openedDigest, setOpenedDigest] = useState<string>();
  const [confirmedDigest, setConfirmedDigest] = useState<string>();
  const [denying, setDenying] = useState(false);

  const opened = openedDigest === digest;
  const confirmed = confirmedDigest === digest;
  const deliberate = approval.defaultToDeny === true;
  const editText = approval.editable ? draft.editText : undefined;
  const edit = editText === undefined ? undefined : parseEdit(approval.input, editText);
  const armed = useArming(JSON.stringify([digest, interaction.attempt, editText]));
  const gate = toAllowGate({
    answerable,
    armed,
    unopened: opened || edit !== undefined ? undefined : view.amount,
    unconfirmed: deliberate && !confirmed,
    edit: edit?.status ?? "none",
  });
  const primaryScope = approval.scopes.includes("once") ? "once" : approval.scopes[0];

  const allow = (approvalScope: ApprovalScope) => {
    if (!gate.open) return;
    const edited = edit?.status === "changed" && { editedInput: edit.input };
    response.send({ action: "approve", digest, approvalScope, ...edited });
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
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    // Only the card itself: a key pressed on anything inside it belongs to that.
    if (event.target !== event.currentTarget || !isPlainKey(event)) return;
    if (denying || edit !== undefined) return;
    const key = event.key.toLowerCase();
    if (key === "d") deny(false);
    else if (key === "a" && !deliberate && primaryScope !== undefined) allow(primaryScope);
    else return;
    event.preventDefault();
  };
  return {
    answerable,
    submitting: response.state.phase === "submitting",
    gate,
    primaryScope,
    reason: draft.reason,
    setReason: (reason: string) => setDraft({ ...draft, reason }),
    editText,
    edit,
    setEditText: (text: string) => setDraft({ ...draft, editText: text }),
    startEdit: () => setDraft({ ...draft, editText: toEditText(approval.input) }),
    discardEdit: () => setDraft({ reason: draft.reason, digest }),
    opened,
    open: () => setOpenedDigest(digest),
    deliberate,
    confirmed,
    confirm: (yes: boolean) => setConfirmedDigest(yes ? digest : undefined),
    denying,
    setDenying,
    allow,
    deny,
    onKeyDown,
  };
}

export type ApprovalModel = ReturnType<typeof useApproval>;

/** The draft, without an edit of something that is no longer shown. */
function useApprovalDraft({ drafts, interaction, approval }: ApprovalProps) {
  const { digest } = approval;
  const [draft, setDraft] = useCardDraft<ApprovalDraft>({
    drafts,
    key: interaction.interactionId,
    initial: createApprovalDraft(digest),
    parse: useCallback((stored: unknown) => parseApprovalDraft(digest, stored), [digest]),
  });
  const current = draft.digest === digest ? draft : { reason: draft.reason, digest };
  return [current, setDraft] as const;
}

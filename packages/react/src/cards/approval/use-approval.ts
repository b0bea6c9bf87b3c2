import { isHolding, type Approval, type ApprovalScope, type GrantLimit } from "@holdpoint/protocol";
import { useCallback, useEffect, useState, type KeyboardEvent } from "react";

import { useUiClock } from "../../parts/ui-clock.tsx";
import type { Unshown } from "../../parts/unshown.tsx";
import { useWords } from "../../words/use-words.ts";
import type { OpenCardProps } from "../shared/card-shell.tsx";
import { acceptsAnswer } from "../shared/card-state.ts";
import { isPlan } from "../shared/card-title.ts";
import { isPlainKey } from "../shared/keyboard.ts";
import { useCardDraft } from "../shared/use-card-draft.ts";
import {
  parseEdit,
  toEditSubject,
  toEditText,
  type Edit,
  type EditSubject,
} from "./approval-edit.ts";
import { toAllowGate, type AllowGate } from "./approval-gate.ts";

export type ApprovalProps = OpenCardProps & { readonly approval: Approval };

/** What a person can do with an approval, and what they have done to it so far. */
export interface ApprovalModel extends ApprovalEditing, ApprovalReading {
  /** The person may decide now. */
  readonly answerable: boolean;
  readonly submitting: boolean;
  /** No agent waits for the answer any more: it goes to one as a message. */
  readonly late: boolean;
  /** It is about a plan, which is approved or sent back with what should change. */
  readonly planned: boolean;
  readonly gate: AllowGate;
  /** The scope of the main button: once, where that is offered. */
  readonly primaryScope: ApprovalScope | undefined;
  /** The tool wants a deliberate yes: no key allows it. */
  readonly deliberate: boolean;
  /** The form for a reason is open. While it is, nothing can be allowed by a key. */
  readonly denying: boolean;
  readonly setDenying: (denying: boolean) => void;
  /** While the gate is shut it allows nothing, but shows what has not been in view. */
  readonly allow: (scope: ApprovalScope, limit?: GrantLimit) => void;
  readonly deny: (stopTurn: boolean) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

/** What a person has typed into an approval without sending it. */
interface ApprovalEditing {
  readonly reason: string;
  readonly setReason: (reason: string) => void;
  /** The editor's text while it is open. */
  readonly editText: string | undefined;
  readonly edit: Edit | undefined;
  /** What the editor edits. */
  readonly editSubject: EditSubject;
  readonly setEditText: (text: string) => void;
  /** `whole`: all of the input, as JSON. */
  readonly startEdit: (whole?: boolean) => void;
  readonly discardEdit: () => void;
}

/** Whether the person has looked at the input. By digest: having seen one input says nothing of another. */
interface ApprovalReading {
  readonly opened: boolean;
  readonly open: () => void;
  readonly confirmed: boolean;
  readonly confirm: (yes: boolean) => void;
}

/** The state of an open approval. `unshown`: what is not shown of it. */
export function useApproval(props: ApprovalProps, unshown: Unshown | undefined): ApprovalModel {
  const { interaction, approval, response } = props;
  const { digest } = approval;
  const answerable = acceptsAnswer(response.state);
  const editing = useEditing(props);
  const reading = useReading(digest);
  const [denying, setDenying] = useState(false);
  const { edit, editText } = editing;
  const deliberate = approval.defaultToDeny === true;
  // What has only just come into view was not read yet.
  const isInView = unshown?.moves === undefined;
  const armed = useArming(JSON.stringify([digest, interaction.attempt, editText, isInView]));
  const conditions = { answerable, armed, unshown, unconfirmed: deliberate && !reading.confirmed };
  const gate = toAllowGate({ ...conditions, edit: edit?.status ?? "none" }, useWords());
  const primaryScope = approval.scopes.includes("once") ? "once" : approval.scopes[0];

  const allow = (approvalScope: ApprovalScope, grantLimit?: GrantLimit): void => {
    if (!gate.open) {
      gate.moves?.show();
      return;
    }
    const edited = edit?.status === "changed" && { editedInput: edit.input };
    const limited = grantLimit && { grantLimit };
    response.send({ action: "approve", digest, approvalScope, ...edited, ...limited });
  };
  const deny = (stopTurn: boolean): void => {
    if (!answerable) return;
    const reason = denying ? editing.reason.trim() : "";
    response.send({
      action: "deny",
      ...(reason !== "" && { reason }),
      ...(stopTurn && { stopTurn }),
    });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    // Only the card itself: a key pressed on a control inside belongs to that control.
    if (event.target !== event.currentTarget || !isPlainKey(event)) return;
    if (denying || edit !== undefined) return;
    const key = event.key.toLowerCase();
    if (key === "d" && planned) setDenying(true);
    else if (key === "d") deny(false);
    else if (key === "a" && !deliberate && primaryScope !== undefined) allow(primaryScope);
    else return;
    event.preventDefault();
  };
  const submitting = response.state.phase === "submitting";
  const late = !isHolding(interaction);
  const planned = isPlan(interaction.toolName, approval.input);
  const state = { answerable, submitting, late, planned, gate, primaryScope, deliberate, denying };
  return { ...editing, ...reading, ...state, setDenying, allow, deny, onKeyDown };
}

function useReading(digest: string): ApprovalReading {
  const [openedDigest, setOpenedDigest] = useState<string>();
  const [confirmedDigest, setConfirmedDigest] = useState<string>();
  return {
    opened: openedDigest === digest,
    open: () => setOpenedDigest(digest),
    confirmed: confirmedDigest === digest,
    confirm: (yes) => setConfirmedDigest(yes ? digest : undefined),
  };
}

/** As it is kept over a reload. */
interface ApprovalDraft {
  readonly reason: string;
  /** Absent while the editor is closed. */
  readonly editText?: string;
  /** The editor has all of the input, as JSON. */
  readonly whole?: boolean;
  /** The digest of the input that is edited: an edit of another input is void. */
  readonly digest: string;
}

function useEditing({ drafts, interaction, approval }: ApprovalProps): ApprovalEditing {
  const { digest, input, editable } = approval;
  const [stored, setDraft] = useCardDraft<ApprovalDraft>({
    drafts,
    key: interaction.interactionId,
    initial: { reason: "", digest },
    parse: useCallback((value: unknown) => parseApprovalDraft(digest, value), [digest]),
  });
  const draft = stored.digest === digest ? stored : { reason: stored.reason, digest };
  const editText = editable ? draft.editText : undefined;
  const editSubject = toEditSubject(editable ? input : {}, draft.whole === true);
  return {
    reason: draft.reason,
    setReason: (reason) => setDraft({ ...draft, reason }),
    editText,
    edit: editText === undefined ? undefined : parseEdit(input, editSubject, editText),
    editSubject,
    setEditText: (text) => setDraft({ ...draft, editText: text }),
    startEdit(whole = false) {
      setDraft({ ...draft, whole, editText: toEditText(input, toEditSubject(input, whole)) });
    },
    discardEdit: () => setDraft({ reason: draft.reason, digest }),
  };
}

/** A stored draft, if it is about the same input. */
function parseApprovalDraft(digest: string, stored: unknown): ApprovalDraft | undefined {
  if (typeof stored !== "object" || stored === null) return undefined;
  const { reason, editText, whole, digest: of } = stored as Record<string, unknown>;
  if (typeof reason !== "string") return undefined;
  if (of !== digest || typeof editText !== "string") return { reason, digest };
  return { reason, editText, digest, whole: whole === true };
}

/** How long the input must have been shown unchanged before it can be allowed. */
const ARMING_MS = 500;

/** False until `shown`, which names what the person looks at, has been the same for `ARMING_MS`. */
function useArming(shown: string): boolean {
  const clock = useUiClock();
  const [armedFor, setArmedFor] = useState<string>();
  useEffect(() => clock.schedule(ARMING_MS, () => setArmedFor(shown)), [clock, shown]);
  return armedFor === shown;
}

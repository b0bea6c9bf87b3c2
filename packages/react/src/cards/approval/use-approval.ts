import {
  isHolding,
  isKept,
  type Approval,
  type ApprovalScope,
  type GrantLimit,
} from "@holdpoint/protocol";
import { use, useCallback, useState, type KeyboardEvent } from "react";

import type { Unshown } from "../../parts/unshown.tsx";
import { useWords } from "../../words/use-words.ts";
import { isCardKey } from "../shared/card-keys.ts";
import type { OpenCardProps } from "../shared/card-shell.tsx";
import { acceptsAnswer } from "../shared/card-state.ts";
import { isPlan } from "../shared/card-title.ts";
import { isComposing, isPlainKey } from "../shared/keyboard.ts";
import { OwnRightContext } from "../shared/own-right-context.ts";
import { useArming } from "../shared/use-arming.ts";
import { useCardDraft } from "../shared/use-card-draft.ts";
import {
  parseEdit,
  toEditSubject,
  toEditText,
  type Edit,
  type EditSubject,
} from "./approval-edit.ts";
import { toAllowGate, type AllowGate } from "./approval-gate.ts";
import { useScopesForm, type ScopesForm } from "./use-scopes-form.ts";
import { toWiderScopes } from "./wider-scopes.ts";

export type ApprovalProps = OpenCardProps & { readonly approval: Approval };

/** The actions on an approval, and the person's choices so far. */
export interface ApprovalModel extends ApprovalEditing, ApprovalReading, ApprovalDeciding {
  readonly answerable: boolean;
  readonly submitting: boolean;
  /** No agent waits for the answer: it will be sent as a message. */
  readonly late: boolean;
  /** The request is about a plan, which is approved or sent back with changes to make. */
  readonly planned: boolean;
  /** The requester is a program, which has no turn to stop. */
  readonly isProgram: boolean;
  readonly gate: AllowGate;
  /** The main button only ever allows once. If that is not offered, there is no main button. */
  readonly canAllowOnce: boolean;
  readonly hasScopes: boolean;
  /** The tool requires a deliberate yes: no key allows it. */
  readonly deliberate: boolean;
  /** While the gate is shut, this allows nothing and instead scrolls to the parts that have not been in view. */
  readonly allow: (scope: ApprovalScope, limit?: GrantLimit) => void;
  readonly deny: (stopTurn: boolean) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

/** The forms that can be open in addition to the main buttons. */
interface ApprovalDeciding {
  /** The form for a reason is open. While it is, no key can allow anything. */
  readonly denying: boolean;
  readonly setDenying: (denying: boolean) => void;
  readonly scopesForm: ScopesForm;
}

/** The person's unsent texts. */
interface ApprovalEditing {
  readonly reason: string;
  readonly setReason: (reason: string) => void;
  /** The editor's text while it is open. */
  readonly editText: string | undefined;
  readonly edit: Edit | undefined;
  readonly editSubject: EditSubject;
  readonly setEditText: (text: string) => void;
  /** `whole`: edits the whole input as JSON. */
  readonly startEdit: (whole?: boolean) => void;
  readonly discardEdit: () => void;
}

/** Whether the person has looked at the input. Stored by digest, since another input has not been looked at. */
interface ApprovalReading {
  readonly opened: boolean;
  readonly open: () => void;
  readonly confirmed: boolean;
  readonly confirm: (yes: boolean) => void;
}

/** The state of an open approval. `unshown`: the parts of the card that are not shown yet. */
export function useApproval(props: ApprovalProps, unshown: Unshown | undefined): ApprovalModel {
  const { interaction, approval, response } = props;
  const { digest } = approval;
  const answerable = acceptsAnswer(response.state);
  const editing = useEditing(props);
  const reading = useReading(digest);
  const deciding = useDeciding();
  const { denying } = deciding;
  const { edit, editText } = editing;
  const deliberate = approval.defaultToDeny === true;
  // A part that has only just come into view has not been read yet.
  const isInView = unshown?.moves === undefined;
  const armed = useArming(JSON.stringify([digest, interaction.attempt, editText, isInView]));
  const conditions = { answerable, armed, unshown, unconfirmed: deliberate && !reading.confirmed };
  const gate = toAllowGate({ ...conditions, edit: edit?.status ?? "none" }, useWords());
  const mayAllow = use(OwnRightContext).allow === undefined;
  const canAllowOnce = mayAllow && approval.scopes.includes("once");
  const hasScopes = mayAllow && toWiderScopes(approval).length > 0;

  const submitting = response.state.phase === "submitting";
  const late = !isHolding(interaction);
  const planned = isPlan(interaction.toolName, approval.input);
  const state = {
    answerable,
    submitting,
    late,
    planned,
    isProgram: isKept(interaction),
    gate,
    canAllowOnce,
    hasScopes,
    deliberate,
  };

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
  const onKeyDown = toKeyHandler({ ...state, ...deciding, edit, allow, deny });
  return { ...editing, ...reading, ...deciding, ...state, allow, deny, onKeyDown };
}

type CardAction = "ask" | "deny" | "allow" | "widen";

function toCardAction(
  event: KeyboardEvent,
  state: Pick<
    ApprovalModel,
    "answerable" | "canAllowOnce" | "deliberate" | "hasScopes" | "planned"
  >,
): CardAction | undefined {
  if (isCardKey(event, "deny")) return state.planned ? "ask" : "deny";
  if (isCardKey(event, "allow") && !state.deliberate && state.canAllowOnce) return "allow";
  if (isCardKey(event, "widen") && state.answerable && state.hasScopes) return "widen";
  return undefined;
}

type KeyParts = Parameters<typeof toCardAction>[1] &
  Pick<ApprovalModel, "allow" | "deny" | "edit"> &
  ReturnType<typeof useDeciding>;

function toKeyHandler(parts: KeyParts): ApprovalModel["onKeyDown"] {
  const act: Readonly<Record<CardAction, () => void>> = {
    ask: () => parts.setDenying(true),
    deny: () => parts.deny(false),
    allow: () => parts.allow("once"),
    widen: parts.scopesForm.toggle,
  };
  return (event) => {
    parts.onAnyKeyDown(event);
    // Only the card itself: a key pressed on a control inside belongs to that control.
    if (event.target !== event.currentTarget || !isPlainKey(event)) return;
    if (parts.denying || parts.edit !== undefined) return;
    const pressed = toCardAction(event, parts);
    if (pressed === undefined) return;
    event.preventDefault();
    act[pressed]();
  };
}

/** At most one of the two forms is open. */
function useDeciding(): ApprovalDeciding & {
  readonly onAnyKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
} {
  const [denying, setDenying] = useState(false);
  const scopesForm = useScopesForm();
  return {
    denying,
    setDenying(next) {
      scopesForm.close();
      setDenying(next);
    },
    scopesForm,
    onAnyKeyDown(event) {
      // A held-down key may open the scopes, but must not allow anything after that.
      if (event.repeat && event.target instanceof HTMLButtonElement) event.preventDefault();
      if (!scopesForm.open || event.key !== "Escape" || isComposing(event)) return;
      event.stopPropagation();
      scopesForm.toggle();
    },
  };
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

/** The draft as it is kept across a reload. */
interface ApprovalDraft {
  readonly reason: string;
  readonly editText?: string;
  /** The editor has the whole input as JSON. */
  readonly whole?: boolean;
  /** The digest of the edited input: an edit of another input is void. */
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

/** Parses a stored draft. Undefined if it belongs to another input. */
function parseApprovalDraft(digest: string, stored: unknown): ApprovalDraft | undefined {
  if (typeof stored !== "object" || stored === null) return undefined;
  const { reason, editText, whole, digest: of } = stored as Record<string, unknown>;
  if (typeof reason !== "string") return undefined;
  if (of !== digest || typeof editText !== "string") return { reason, digest };
  return { reason, editText, digest, whole: whole === true };
}

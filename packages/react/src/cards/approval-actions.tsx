import type { Approval, ApprovalScope } from "@holdpoint/protocol";
import { ChevronDown, Pencil } from "lucide-react";
import { useId } from "react";

import { Button } from "../parts/button.tsx";
import { KeyHint } from "../parts/key-hint.tsx";
import type { AllowGate } from "./approval-gate.ts";
import { SCOPE_BUTTON_WORDS } from "./card-words.ts";

interface ApprovalActionsProps {
  approval: Approval;
  gate: AllowGate;
  armed: boolean;
  answerable: boolean;
  submitting: boolean;
  editing: boolean;
  primaryScope: ApprovalScope | undefined;
  onDeny: () => void;
  onOpenDeny: () => void;
  onEdit: () => void;
  onDiscard: () => void;
  onAllow: (scope: ApprovalScope) => void;
}

/** Deny on one side, Allow on the other, and between them why Allow is not to be had. */
export function ApprovalActions(props: ApprovalActionsProps) {
  const { approval, gate, answerable, editing } = props;
  const wordsId = useId();
  const words = gate.open ? undefined : gate.words;
  return (
    <div className="hp-actions">
      <span className="hp-split">
        <Button tone="danger" blocked={!answerable} onClick={props.onDeny}>
          Deny
          {!editing && <KeyHint>D</KeyHint>}
        </Button>
        <Button
          tone="danger"
          iconOnly
          title="Deny with a reason, or stop the turn"
          icon={<ChevronDown aria-hidden />}
          blocked={!answerable}
          onClick={props.onOpenDeny}
        >
          Deny with a reason, or stop the turn
        </Button>
      </span>
      {approval.editable &&
        (editing ? (
          <Button blocked={!answerable} onClick={props.onDiscard}>
            Discard edit
          </Button>
        ) : (
          <Button icon={<Pencil aria-hidden />} blocked={!answerable} onClick={props.onEdit}>
            Edit
          </Button>
        ))}
      <span className="hp-actions-space" id={wordsId}>
        {words !== undefined && <span className="hp-missing">{words}</span>}
      </span>
      <AllowButton {...props} describedBy={words === undefined ? undefined : wordsId} />
    </div>
  );
}

function AllowButton(props: ApprovalActionsProps & { describedBy: string | undefined }) {
  const { approval, gate, armed, submitting, editing, primaryScope, describedBy } = props;
  if (primaryScope === undefined) return null;
  const scope = editing && approval.scopes.includes("once") ? "once" : primaryScope;
  const shortcut = !editing && !submitting && approval.defaultToDeny !== true;
  return (
    <Button
      tone={approval.defaultToDeny === true ? "plain" : "primary"}
      className="hp-advance"
      blocked={!gate.open}
      data-arming={!armed || undefined}
      aria-describedby={describedBy}
      onClick={() => props.onAllow(scope)}
    >
      {submitting ? "Sending…" : editing ? "Allow edited" : SCOPE_BUTTON_WORDS[scope]}
      {shortcut && <KeyHint>A</KeyHint>}
    </Button>
  );
}

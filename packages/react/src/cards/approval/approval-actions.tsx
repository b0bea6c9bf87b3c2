import type { Approval, ApprovalScope } from "@holdpoint/protocol";
import { ChevronDown, Pencil } from "lucide-react";
import { useId, type ReactNode } from "react";

import { Button } from "../../parts/button.tsx";
import { KeyHint } from "../../parts/key-hint.tsx";
import { useWords, type Words } from "../../words/use-words.ts";
import { LATE_ALLOW_WORDS, SCOPE_BUTTON_WORDS } from "../shared/card-words.ts";
import { MissingWords } from "../shared/missing-words.tsx";
import type { ApprovalModel } from "./use-approval.ts";

interface ApprovalActionsProps {
  readonly approval: Approval;
  readonly model: ApprovalModel;
}

/** Deny on one side, Allow on the other, and between them the reason while Allow is blocked. */
export function ApprovalActions({ approval, model }: ApprovalActionsProps): ReactNode {
  const say = useWords();
  const { gate, answerable, edit } = model;
  const wordsId = useId();
  const { words } = gate;
  return (
    <div className="hp-actions">
      {model.planned ? <AskForChanges model={model} /> : <DenyButtons model={model} />}
      {approval.editable &&
        (edit === undefined ? (
          <Button
            icon={<Pencil aria-hidden />}
            blocked={!answerable}
            onClick={() => model.startEdit()}
          >
            {say("Edit")}
          </Button>
        ) : (
          <Button blocked={!answerable} onClick={() => model.discardEdit()}>
            {say("Discard")}
          </Button>
        ))}
      <span className="hp-actions-space" id={wordsId}>
        <MissingWords words={words} moves={gate.moves} />
      </span>
      <AllowButton model={model} describedBy={words === undefined ? undefined : wordsId} />
    </div>
  );
}

function DenyButtons({ model }: { readonly model: ApprovalModel }): ReactNode {
  const say = useWords();
  const { answerable, edit } = model;
  return (
    <span className="hp-split">
      <Button tone="danger" blocked={!answerable} onClick={() => model.deny(false)}>
        {say("Deny")}
        {edit === undefined && <KeyHint>D</KeyHint>}
      </Button>
      <Button
        tone="danger"
        iconOnly
        title={say("Deny with a reason, or stop the turn")}
        icon={<ChevronDown aria-hidden />}
        blocked={!answerable}
        onClick={() => model.setDenying(true)}
      >
        {say("Deny with a reason, or stop the turn")}
      </Button>
    </span>
  );
}

/** A plan is not refused without a word: the agent makes a better one from what is said. */
function AskForChanges({ model }: { readonly model: ApprovalModel }): ReactNode {
  const say = useWords();
  const { answerable, edit } = model;
  return (
    <Button blocked={!answerable} onClick={() => model.setDenying(true)}>
      {say("Ask for changes")}
      {edit === undefined && <KeyHint>D</KeyHint>}
    </Button>
  );
}

function AllowButton({
  model,
  describedBy,
}: {
  readonly model: ApprovalModel;
  readonly describedBy: string | undefined;
}): ReactNode {
  const say = useWords();
  const { gate, answerable, submitting, deliberate, primaryScope } = model;
  if (primaryScope === undefined) return null;
  const editing = model.edit !== undefined;
  // Blocked, without anything for the person to do: it opens by itself in a moment.
  const arming = answerable && !gate.open && gate.words === undefined;
  return (
    <Button
      tone={deliberate ? "plain" : "primary"}
      className="hp-advance"
      blocked={!gate.open}
      data-arming={arming || undefined}
      aria-describedby={describedBy}
      onClick={() => model.allow(primaryScope)}
      onBlocked={gate.moves?.show}
    >
      {submitting ? say("Sending…") : say(toAllowWords(model, primaryScope))}
      {!editing && !submitting && !deliberate && <KeyHint>A</KeyHint>}
    </Button>
  );
}

/** What a press does: nothing runs by it where no agent waits. */
function toAllowWords({ edit, late, planned }: ApprovalModel, scope: ApprovalScope): Words {
  if (edit !== undefined) return planned ? "Approve edited plan" : "Allow edited";
  if (late) return LATE_ALLOW_WORDS;
  return planned && scope === "once" ? "Approve plan" : SCOPE_BUTTON_WORDS[scope];
}

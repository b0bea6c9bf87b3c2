import type { Approval } from "@holdpoint/protocol";
import { ChevronDown, Pencil } from "lucide-react";
import { useId, type ReactNode } from "react";

import { Boundary } from "../../parts/boundary.tsx";
import { Button } from "../../parts/button.tsx";
import { KeyHint } from "../../parts/key-hint.tsx";
import { useWords, type Words } from "../../words/use-words.ts";
import { LATE_ALLOW_WORDS, SCOPE_BUTTON_WORDS } from "../shared/answer-words.ts";
import { CARD_KEYS } from "../shared/card-keys.ts";
import { MissingWords } from "../shared/missing-words.tsx";
import { ApprovalScopes } from "./approval-scopes.tsx";
import type { ApprovalModel } from "./use-approval.ts";

interface ApprovalActionsProps {
  readonly approval: Approval;
  readonly model: ApprovalModel;
}

/** Deny on one side, Allow on the other, and the wider scopes behind one control. */
export function ApprovalActions({ approval, model }: ApprovalActionsProps): ReactNode {
  const { scopesForm, canAllowOnce, edit } = model;
  const id = useId();
  // If allowing once is not offered, the wider scopes are the only way to allow.
  const isOpen = model.hasScopes && (canAllowOnce ? scopesForm.open && edit === undefined : true);
  const scopes = isOpen && (
    <div id={id}>
      <Boundary>
        <ApprovalScopes
          approval={approval}
          gate={model.gate}
          onAllow={model.allow}
          onShown={scopesForm.open ? scopesForm.onShown : undefined}
        />
      </Boundary>
    </div>
  );
  return (
    <>
      {!scopesForm.below && scopes}
      <MainActions approval={approval} model={model} scopesId={isOpen ? id : undefined} />
      {scopesForm.below && scopes}
    </>
  );
}

/** While Allow is blocked, the reason is shown between Deny and Allow. */
function MainActions({
  approval,
  model,
  scopesId,
}: ApprovalActionsProps & { readonly scopesId: string | undefined }): ReactNode {
  const say = useWords();
  const { gate, answerable, edit } = model;
  const wordsId = useId();
  const { words } = gate;
  const splits = model.hasScopes && edit === undefined;
  const { setRow } = model.scopesForm;
  return (
    <div className="hp-actions" ref={setRow}>
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
      {model.canAllowOnce && (
        <span className={splits ? "hp-advance hp-split" : "hp-advance"}>
          <AllowButton model={model} describedBy={words === undefined ? undefined : wordsId} />
          {splits && <ScopesButton model={model} controls={scopesId} />}
        </span>
      )}
    </div>
  );
}

function ScopesButton({
  model,
  controls,
}: {
  readonly model: ApprovalModel;
  readonly controls: string | undefined;
}): ReactNode {
  const say = useWords();
  const { scopesForm, deliberate, gate } = model;
  return (
    <Button
      tone={deliberate || gate.words !== undefined ? "plain" : "primary"}
      iconOnly
      title={say("Allow for longer")}
      icon={<ChevronDown aria-hidden />}
      blocked={!model.answerable}
      aria-expanded={scopesForm.open}
      aria-controls={controls}
      onClick={scopesForm.toggle}
    >
      {say("Allow for longer")}
    </Button>
  );
}

function DenyButtons({ model }: { readonly model: ApprovalModel }): ReactNode {
  const say = useWords();
  const { answerable, edit } = model;
  const more = say(model.isProgram ? "Deny with a reason" : "Deny with a reason, or stop the turn");
  return (
    <span className="hp-split">
      <Button tone="danger" blocked={!answerable} onClick={() => model.deny(false)}>
        {say("Deny")}
        {edit === undefined && <KeyHint>{CARD_KEYS.deny}</KeyHint>}
      </Button>
      <Button
        tone="danger"
        iconOnly
        title={more}
        icon={<ChevronDown aria-hidden />}
        blocked={!answerable}
        onClick={() => model.setDenying(true)}
      >
        {more}
      </Button>
    </span>
  );
}

/** A plan is never refused without a comment: the agent improves it according to the comment. */
function AskForChanges({ model }: { readonly model: ApprovalModel }): ReactNode {
  const say = useWords();
  const { answerable, edit } = model;
  return (
    <Button blocked={!answerable} onClick={() => model.setDenying(true)}>
      {say("Ask for changes")}
      {edit === undefined && <KeyHint>{CARD_KEYS.deny}</KeyHint>}
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
  const { gate, answerable, submitting, deliberate } = model;
  const editing = model.edit !== undefined;
  // Blocked with nothing for the person to do: it opens on its own in a moment.
  const arming = answerable && !gate.open && gate.words === undefined;
  return (
    <Button
      tone={deliberate ? "plain" : "primary"}
      blocked={!gate.open}
      data-arming={arming || undefined}
      aria-describedby={describedBy}
      onClick={() => model.allow("once")}
      onBlocked={gate.moves?.show}
    >
      {submitting ? say("Sending…") : say(toAllowWords(model))}
      {!editing && !submitting && !deliberate && <KeyHint>{CARD_KEYS.allow}</KeyHint>}
    </Button>
  );
}

/** The label of Allow. Without a waiting agent, the press does not run anything directly. */
function toAllowWords({ edit, late, planned }: ApprovalModel): Words {
  if (edit !== undefined) return planned ? "Approve edited plan" : "Allow edited";
  if (late) return LATE_ALLOW_WORDS;
  return planned ? "Approve plan" : SCOPE_BUTTON_WORDS.once;
}

import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from "react";

import { Button } from "../../parts/button.tsx";
import { useWords, type Words } from "../../words/use-words.ts";
import { isComposing } from "../shared/keyboard.ts";
import type { ApprovalModel } from "./use-approval.ts";

const MAX_REASON_LENGTH = 16_384;
const TO_AGENT: Words = "Optional. Sent to the agent.";
const TO_PROGRAM: Words = "Optional. Sent to the program.";

/** Denies with a reason, or also ends the turn. While it is open, the card cannot allow anything. */
export function DenyForm({ model }: { readonly model: ApprovalModel }): ReactNode {
  const say = useWords();
  const { reason, answerable, submitting, planned, isProgram, deny, setDenying } = model;
  const reasonId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const goBack = (): void => {
    // Without this, nothing would have the focus: this form is about to be removed.
    field.current?.closest("article")?.focus();
    setDenying(false);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isComposing(event)) return;
    if (event.key === "Escape") {
      event.stopPropagation();
      goBack();
    } else if (event.key === "Enter" && !event.shiftKey && !event.repeat) {
      event.preventDefault();
      deny(false);
    }
  };
  return (
    <div className="hp-deny">
      <label className="hp-deny-label" htmlFor={reasonId}>
        {planned ? say("What should change?") : say("Why not?")}{" "}
        <span className="hp-hint">{say(isProgram ? TO_PROGRAM : TO_AGENT)}</span>
      </label>
      <textarea
        ref={field}
        id={reasonId}
        className="hp-input"
        rows={2}
        maxLength={MAX_REASON_LENGTH}
        value={reason}
        readOnly={!answerable}
        onChange={(event) => model.setReason(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="hp-actions">
        <Button tone="quiet" onClick={goBack}>
          {say("Back")}
        </Button>
        <span className="hp-actions-space" />
        {!isProgram && (
          <Button tone="danger" blocked={!answerable} onClick={() => deny(true)}>
            {say("Deny and stop")}
          </Button>
        )}
        <Button
          tone="danger"
          className="hp-advance hp-button-solid"
          blocked={!answerable}
          onClick={() => deny(false)}
        >
          {submitting ? say("Sending…") : planned ? say("Send back") : say("Deny")}
        </Button>
      </div>
    </div>
  );
}

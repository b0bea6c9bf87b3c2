import type { Approval } from "@holdpoint/protocol";
import { TriangleAlert } from "lucide-react";
import { useEffect, useId, useMemo, useRef, type ReactNode } from "react";

import { Button } from "../../parts/button.tsx";
import { DiffView } from "../../parts/diff-view.tsx";
import { useInView } from "../../parts/in-view.tsx";
import { JsonView } from "../../parts/json-view.tsx";
import { useWords } from "../../words/use-words.ts";
import { toUnedited, type Edit, type EditSubject } from "./approval-edit.ts";
import { toEditDifference } from "./edit-difference.ts";

interface ApprovalEditorProps {
  readonly input: Approval["input"];
  readonly subject: EditSubject;
  readonly text: string;
  readonly edit: Edit;
  readonly readOnly: boolean;
  readonly onChange: (text: string) => void;
  /** Called to edit the whole input as JSON. */
  readonly onWhole: () => void;
}

/** Edits the input. The difference from the original is shown before the edit can be allowed. */
export function ApprovalEditor({
  input,
  subject,
  text,
  edit,
  readOnly,
  onChange,
  onWhole,
}: ApprovalEditorProps): ReactNode {
  const say = useWords();
  const labelId = useId();
  const errorId = useId();
  const editor = useRef<HTMLTextAreaElement>(null);
  useEffect(() => editor.current?.focus(), []);
  const whole = useRef<HTMLDivElement>(null);
  useInView(whole);
  const invalid = edit.status === "invalid";
  const unedited = useMemo(() => toUnedited(input, subject.field), [input, subject.field]);
  return (
    <div ref={whole} className="hp-editor">
      <label className="hp-editor-label" htmlFor={labelId}>
        {say(subject.label)}
      </label>
      <textarea
        ref={editor}
        id={labelId}
        className="hp-editor-text"
        value={text}
        readOnly={readOnly}
        spellCheck={false}
        autoCapitalize="off"
        autoCorrect="off"
        autoComplete="off"
        // As tall as its text, so that no part of it has to be scrolled.
        rows={Math.max(2, text.split("\n").length)}
        aria-invalid={invalid}
        aria-describedby={invalid ? errorId : undefined}
        onChange={(event) => onChange(event.target.value)}
      />
      {invalid && (
        <p className="hp-field-error" id={errorId}>
          <TriangleAlert aria-hidden />
          {say(edit.message)} {edit.detail}
        </p>
      )}
      {subject.field !== undefined &&
        edit.status === "unchanged" &&
        Object.keys(input).length > 1 && (
          <span>
            <Button tone="quiet" blocked={readOnly} onClick={onWhole}>
              {say("Edit as JSON")}
            </Button>
          </span>
        )}
      {edit.status === "changed" && (
        <DiffView {...toEditDifference(input, edit.input)} caption={say("Your changes")} />
      )}
      {unedited !== undefined && <JsonView value={unedited} caption={say("Other input")} />}
    </div>
  );
}

import type { Approval } from "@holdpoint/protocol";
import { TriangleAlert } from "lucide-react";
import { useEffect, useId, useRef, type ReactNode } from "react";

import { DiffView } from "../../parts/diff-view.tsx";
import { useInView } from "../../parts/in-view.tsx";
import { toEditText, type Edit } from "./approval-edit.ts";

export interface ApprovalEditorProps {
  readonly input: Approval["input"];
  readonly text: string;
  readonly edit: Edit;
  readonly readOnly: boolean;
  readonly onChange: (text: string) => void;
}

/** Edits the input. The difference from the original is shown before the edit can be allowed. */
export function ApprovalEditor({
  input,
  text,
  edit,
  readOnly,
  onChange,
}: ApprovalEditorProps): ReactNode {
  const labelId = useId();
  const errorId = useId();
  const editor = useRef<HTMLTextAreaElement>(null);
  useEffect(() => editor.current?.focus(), []);
  const whole = useRef<HTMLDivElement>(null);
  useInView(whole);
  const isCommand = typeof input["command"] === "string";
  const invalid = edit.status === "invalid";
  return (
    <div ref={whole} className="hp-editor">
      <label className="hp-editor-label" htmlFor={labelId}>
        {isCommand ? "Command to run instead" : "Input to use instead, as JSON"}
      </label>
      <textarea
        ref={editor}
        id={labelId}
        className="hp-editor-text"
        value={text}
        readOnly={readOnly}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        // As tall as its text, so that no part of it is scrolled out of sight.
        rows={Math.max(2, text.split("\n").length)}
        aria-invalid={invalid}
        aria-describedby={invalid ? errorId : undefined}
        onChange={(event) => onChange(event.target.value)}
      />
      {invalid && (
        <p className="hp-field-error" id={errorId}>
          <TriangleAlert aria-hidden />
          {edit.message}
        </p>
      )}
      {edit.status === "changed" && (
        <DiffView
          before={`${toEditText(input)}\n`}
          after={`${toEditText(edit.input)}\n`}
          caption="Your changes"
        />
      )}
    </div>
  );
}

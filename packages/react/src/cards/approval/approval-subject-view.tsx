import type { Approval } from "@holdpoint/protocol";
import { useMemo, type ReactNode } from "react";

import { CodeBlock } from "../../parts/code-block.tsx";
import { toDiffRows } from "../../parts/diff-rows.ts";
import { DiffView } from "../../parts/diff-view.tsx";
import { Fold } from "../../parts/fold.tsx";
import { JsonView } from "../../parts/json-view.tsx";
import {
  countLines,
  isLongText,
  MAX_UNFOLDED_ROWS,
  toApprovalSubject,
  type ApprovalSubject,
} from "./approval-subject.ts";

/** The input of an approval, ready to be drawn. */
export interface SubjectView {
  readonly subject: ApprovalSubject;
  /** The size of input that must be opened before it can be allowed; absent when all of it is shown. */
  readonly amount?: string;
}

export function useSubjectView(approval: Approval): SubjectView {
  return useMemo(() => {
    const subject = toApprovalSubject(approval);
    const amount = toFoldedAmount(subject);
    return amount === undefined ? { subject } : { subject, amount };
  }, [approval]);
}

function toFoldedAmount(subject: ApprovalSubject): string | undefined {
  switch (subject.type) {
    case "change": {
      const { before, after } = subject.change;
      const { rows, added, removed } = toDiffRows(before ?? "", after);
      const long = rows.length > MAX_UNFOLDED_ROWS || isLongChange(rows);
      return long ? lineWords(added + removed, "changed line") : undefined;
    }
    case "command": {
      const further =
        subject.further === undefined ? "" : `\n${JSON.stringify(subject.further, undefined, 2)}`;
      return toLongText(subject.command + further);
    }
    case "json":
      return toLongText(JSON.stringify(subject.input, undefined, 2));
  }
}

/** A few very long lines can hide as much as many short ones. */
function isLongChange(rows: ReturnType<typeof toDiffRows>["rows"]): boolean {
  const text = rows
    .flatMap((row) => ("pieces" in row ? row.pieces.map((piece) => piece.text) : []))
    .join("");
  return text.length > 4000;
}

function toLongText(text: string): string | undefined {
  if (!isLongText(text)) return undefined;
  const lines = countLines(text);
  return lines > 4 ? lineWords(lines, "line") : `${text.length.toLocaleString()} characters`;
}

function lineWords(count: number, noun: string): string {
  return `${count.toLocaleString()} ${noun}${count === 1 ? "" : "s"}`;
}

interface ApprovalSubjectViewProps {
  readonly view: SubjectView;
  readonly opened: boolean;
  readonly onOpen: () => void;
}

/** The input that will run, folded where it is long. */
export function ApprovalSubjectView({ view, opened, onOpen }: ApprovalSubjectViewProps): ReactNode {
  const content = <SubjectContent subject={view.subject} />;
  if (view.amount === undefined) return content;
  return (
    <Fold amount={view.amount} opened={opened} onOpen={onOpen}>
      {content}
    </Fold>
  );
}

function SubjectContent({ subject }: { readonly subject: ApprovalSubject }): ReactNode {
  switch (subject.type) {
    case "change":
      return <ChangeContent subject={subject} />;
    case "command":
      return (
        <div className="hp-subject">
          <CodeBlock text={subject.command} caption="Command" />
          {subject.further !== undefined && (
            <JsonView value={subject.further} caption="Further input" />
          )}
        </div>
      );
    case "json":
      return <JsonView value={subject.input} caption="Input" />;
  }
}

function ChangeContent({
  subject,
}: {
  readonly subject: ApprovalSubject & { type: "change" };
}): ReactNode {
  const { before, after, path } = subject.change;
  return (
    <div className="hp-subject">
      <DiffView after={after} caption={path} {...(before !== undefined && { before })} />
      <details className="hp-details">
        <summary>Exact input</summary>
        <JsonView value={subject.input} />
      </details>
    </div>
  );
}

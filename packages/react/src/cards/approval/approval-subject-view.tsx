import { type Approval, type Interaction, isKept } from "@holdpoint/protocol";
import { useMemo, type ReactNode } from "react";

import { CodeBlock } from "../../parts/code-block.tsx";
import { DiffView } from "../../parts/diff-view.tsx";
import { Fold } from "../../parts/fold.tsx";
import { formatJson } from "../../parts/format-json.ts";
import { JsonView } from "../../parts/json-view.tsx";
import { toPathIn } from "../../parts/path-in.ts";
import { UnshownContext, useUnshown } from "../../parts/unshown.tsx";
import { useWords, type Say } from "../../words/use-words.ts";
import {
  countLines,
  isLongText,
  toApprovalSubject,
  type ApprovalSubject,
} from "./approval-subject.ts";
import { PlanText } from "./plan-text.tsx";

interface ApprovalSubjectViewProps {
  readonly interaction: Interaction;
  readonly approval: Approval;
  readonly opened: boolean;
  readonly onOpen: () => void;
}

/** The input that will run, folded if it is long. */
export function ApprovalSubjectView(props: ApprovalSubjectViewProps): ReactNode {
  const { interaction, approval, opened, onOpen } = props;
  const { toolName } = interaction;
  const say = useWords();
  const subject = useMemo(() => toApprovalSubject(approval, toolName), [approval, toolName]);
  const amount = useMemo(() => toLongText(subject, say), [subject, say]);
  useUnshown(
    amount === undefined || opened ? undefined : say("Open all {amount} to allow", { amount }),
  );
  const content = (
    <SubjectContent
      subject={subject}
      folder={isKept(interaction) ? "" : approval.cwd}
      fold={{ opened, onOpen }}
    />
  );
  if (amount === undefined) return content;
  return (
    <Fold amount={amount} opened={opened} onOpen={onOpen}>
      {content}
    </Fold>
  );
}

/** The length of the input's text in words, if it is long. A file change shows its own length. */
function toLongText(subject: ApprovalSubject, say: Say): string | undefined {
  const further = subject.type === "json" ? subject.input : subject.further;
  const json = further === undefined ? [] : [formatJson(further)];
  const text = [...toTexts(subject), ...json].join("\n");
  if (!isLongText(text)) return undefined;
  const lines = countLines(text);
  return lines > 4
    ? say("{count} line|{count} lines", { count: lines })
    : say("{count} character|{count} characters", { count: text.length });
}

function toTexts(subject: ApprovalSubject): readonly string[] {
  switch (subject.type) {
    case "command":
      return [subject.command];
    case "plan":
      return [subject.plan];
    case "change":
    case "json":
      return [];
  }
}

interface SubjectContentProps {
  readonly subject: ApprovalSubject;
  /** The working directory, if the card shows it. */
  readonly folder: string;
  readonly fold: { readonly opened: boolean; readonly onOpen: () => void };
}

function SubjectContent({ subject, folder, fold }: SubjectContentProps): ReactNode {
  const say = useWords();
  if (subject.type === "json") {
    if (Object.keys(subject.input).length === 0) return undefined;
    return <JsonView value={subject.input} caption={say("Input")} />;
  }
  const { further } = subject;
  return (
    <div className="hp-subject">
      {subject.type === "plan" && <PlanText plan={subject.plan} />}
      {subject.type === "change" && (
        <DiffView
          after={subject.change.after}
          caption={toPathIn(folder, subject.change.path)}
          fold={fold}
          {...(subject.change.before !== undefined && { before: subject.change.before })}
        />
      )}
      {subject.type === "command" && (
        <CodeBlock text={subject.command} caption={say("Command")} language="bash" />
      )}
      {further !== undefined && <JsonView value={further} caption={say("Other input")} />}
      {subject.type === "change" && (
        <details className="hp-details">
          <summary>{say("Exact input")}</summary>
          {/* The change above already shows all of it, so it need not be opened. */}
          <UnshownContext value={undefined}>
            <JsonView value={subject.input} />
          </UnshownContext>
        </details>
      )}
    </div>
  );
}

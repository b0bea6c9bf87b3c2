import {
  readVisitAddress,
  type Approval,
  type FileChange,
  type Interaction,
  type InteractionResponse,
} from "@holdpoint/protocol";
import type { ReactNode } from "react";

import { Chip } from "../../parts/chip.tsx";
import { SaidText } from "../../parts/said-text.tsx";
import { TitleText } from "../../parts/title-text.tsx";
import { BriefText, VisibleText } from "../../parts/visible-text.tsx";
import { useWords, type Words } from "../../words/use-words.ts";
import { toApprovalSubject } from "../approval/approval-subject.ts";
import { FormSummaryLine } from "../form/form-values.tsx";
import { toAnsweredQuestions } from "../question/answer-labels.ts";
import { ChosenList } from "../question/chosen-list.tsx";
import { allowedWords } from "../shared/answer-words.ts";
import { isPlan, toCardTitle } from "../shared/card-title.ts";
import { fillTemplate } from "../shared/summary-template.ts";
import { toEditLine, toNewPath } from "./edit-words.ts";

interface CompletedSummaryProps {
  readonly interaction: Interaction;
  readonly response: InteractionResponse | undefined;
}

/** The answer in a line or two. */
export function CompletedSummary({ interaction, response }: CompletedSummaryProps): ReactNode {
  const say = useWords();
  const template = interaction.completedView?.summaryTemplate;
  if (response === undefined) return <span>{say("Answered")}</span>;
  if (template !== undefined && isGiven(response)) {
    return <TemplateSummary {...{ interaction, response, template }} />;
  }
  return <PlainSummary interaction={interaction} response={response} />;
}

/** A tool writes its summary for a completed action, so it must not be used for a denial. */
function isGiven({ action }: InteractionResponse): boolean {
  return action !== "cancel" && action !== "deny";
}

function TemplateSummary({
  interaction,
  response,
  template,
}: {
  readonly interaction: Interaction;
  readonly response: InteractionResponse;
  readonly template: string;
}): ReactNode {
  const { form } = interaction;
  if (form !== undefined) {
    return <FormSummaryLine {...{ form, response, template }} />;
  }
  const answered = toAnsweredQuestions(interaction.questions ?? [], response.answers ?? []);
  const words = new Map([
    ["action", response.action],
    ["reason", response.reason ?? ""],
    ...answered.map(({ id, labels, other }) => [id, nonEmpty([...labels, other])] as const),
  ]);
  const text = fillTemplate(template, words);
  return text === undefined ? (
    <PlainSummary interaction={interaction} response={response} />
  ) : (
    <BriefText text={text} />
  );
}

function nonEmpty(texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join(", ");
}

function PlainSummary({ interaction, response }: CompletedSummaryProps): ReactNode {
  switch (interaction.kind) {
    case "approval":
      return <ApprovalSummary interaction={interaction} response={response} />;
    case "question":
      return <QuestionSummary interaction={interaction} response={response} />;
    case "form":
      return <FormSummary interaction={interaction} response={response} />;
  }
}

function ApprovalSummary({ interaction, response }: Required<CompletedSummaryProps>): ReactNode {
  const say = useWords();
  if (response === undefined) return null;
  const reason = response.reason?.trim() ?? "";
  return (
    <>
      <span className="hp-done-decision">{say(decisionWords(response))}</span>{" "}
      <SubjectLine interaction={interaction} response={response} />
      <ScopeText interaction={interaction} response={response} />
      {reason !== "" && (
        <span className="hp-done-reason">
          “<BriefText text={reason} />”
        </span>
      )}
    </>
  );
}

/** The coverage of a wider approval, in the words that were approved. */
function ScopeText({ interaction, response }: Required<CompletedSummaryProps>): ReactNode {
  const scope = response?.action === "approve" ? response.approvalScope : undefined;
  if (scope === undefined || scope === "once" || response?.grantId !== undefined) return null;
  const text = interaction.approval?.scopeText[scope];
  if (text === undefined) return null;
  return (
    <span className="hp-done-scope">
      <SaidText text={text} said={interaction.approval?.said?.[scope]} brief />
    </span>
  );
}

function decisionWords(response: InteractionResponse): Words {
  const { action, approvalScope, editedInput, grantId, stopTurn } = response;
  if (action !== "approve") return stopTurn === true ? "Denied and stopped" : "Denied";
  if (grantId !== undefined) return "Allowed by an earlier approval";
  return allowedWords(approvalScope, editedInput !== undefined);
}

const MAX_LINE_LENGTH = 120;

/** The subject of the decision in one line: the file, the command, or the title shown. The details show all of it. */
function SubjectLine({ interaction, response }: Required<CompletedSummaryProps>): ReactNode {
  const say = useWords();
  const { approval, toolName } = interaction;
  if (approval === undefined) return <code>{toolName}</code>;
  const decided = { ...approval, input: response?.editedInput ?? approval.input };
  const subject = toApprovalSubject(decided);
  if (subject.type !== "change" && subject.type !== "command") {
    // The title describes the original request, so no word of it can be used for the edit.
    const title = toCardTitle(interaction, say);
    const short = toShort(title);
    const edited = isPlan(toolName, approval.input) ? undefined : response?.editedInput;
    return (
      <>
        <TitleText text={short} brief />
        {short !== title && "…"}
        {edited !== undefined && <EditLine text={toEditLine(approval.input, edited)} />}
      </>
    );
  }
  const text =
    subject.type === "change" ? toPath(approval, subject.change, decided.input) : subject.command;
  const short = toShort(text);
  return (
    <code className="hp-done-subject">
      <VisibleText text={short} exact />
      {short !== text && "…"}
    </code>
  );
}

/** The file that was decided on: the person may have changed it from the agent's. */
function toPath({ input }: Approval, { path }: FileChange, decided: Approval["input"]): string {
  return toNewPath(input, decided) ?? path;
}

/** The edited input, as it was allowed. */
function EditLine({ text }: { readonly text: string }): ReactNode {
  const say = useWords();
  const short = toShort(text);
  return (
    <>
      {" "}
      {say("changed to")}{" "}
      <code className="hp-done-subject">
        <VisibleText text={short} exact />
        {short !== text && "…"}
      </code>
    </>
  );
}

function toShort(text: string): string {
  return (text.split("\n", 1)[0] ?? "").slice(0, MAX_LINE_LENGTH);
}

function QuestionSummary({ interaction, response }: Required<CompletedSummaryProps>): ReactNode {
  const say = useWords();
  if (response === undefined) return null;
  if (response.action === "cancel") {
    return <span className="hp-done-decision">{say("Skipped without an answer")}</span>;
  }
  if (response.reply !== undefined) {
    return (
      <span className="hp-chosen-own">
        “<BriefText text={response.reply} />”
      </span>
    );
  }
  if (interaction.completedView?.showInputs === false) {
    return <span className="hp-done-decision">{say("Answered")}</span>;
  }
  const answered = toAnsweredQuestions(interaction.questions ?? [], response.answers ?? []);
  return (
    <ul className="hp-done-answers">
      {answered.map(({ id, header, labels, other }) => (
        <li key={id}>
          {header !== "" && <Chip text={header} tone="plain" />}
          <ChosenList labels={labels} other={other} />
        </li>
      ))}
    </ul>
  );
}

function FormSummary({ interaction, response }: Required<CompletedSummaryProps>): ReactNode {
  const say = useWords();
  if (response?.action === "cancel") {
    return <span className="hp-done-decision">{say("Cancelled")}</span>;
  }
  if (response?.action === "deny") {
    return <span className="hp-done-decision">{say("Declined")}</span>;
  }
  const { form, completedView } = interaction;
  const visit = form?.visit;
  if (visit) return <VisitSummary interaction={interaction} url={visit.url} />;
  return (
    <>
      <span className="hp-done-decision">{say("Sent:")}</span>{" "}
      <BriefText text={interaction.prompt ?? interaction.toolName} />
      {form !== undefined && response !== undefined && completedView?.showInputs !== false && (
        <span className="hp-done-values">
          <FormSummaryLine form={form} response={response} />
        </span>
      )}
    </>
  );
}

/** The purpose and address of a page that was visited. */
function VisitSummary({
  interaction,
  url,
}: {
  readonly interaction: Interaction;
  readonly url: string;
}): ReactNode {
  const say = useWords();
  const read = readVisitAddress(url);
  return (
    <>
      <span className="hp-done-decision">{say("Done:")}</span>{" "}
      <BriefText text={interaction.prompt ?? interaction.toolName} />{" "}
      <code className="hp-done-subject">
        <BriefText text={"problem" in read ? url : read.address.host} exact />
      </code>
    </>
  );
}

import type { Interaction } from "@holdpoint/protocol";

/** The title of a card: the tool's own words where there are any. Untrusted text. */
export function toCardTitle(interaction: Interaction): string {
  const { kind, approval, form, prompt, questions = [] } = interaction;
  switch (kind) {
    case "approval":
      return given(approval?.display.title) ?? given(prompt) ?? toApprovalTitle(interaction);
    case "question":
      return (
        given(prompt) ??
        (questions.length > 1 ? `${questions.length} questions for you` : "A question for you")
      );
    case "form":
      return given(prompt) ?? given(form?.schema.title) ?? "A form to fill in";
  }
}

/** What is asked, in one line: the title of the card, or the question itself where the tool gave no title. */
export function toAskedTitle(interaction: Interaction): string {
  const { kind, prompt, questions: [question, ...others] = [] } = interaction;
  if (kind !== "question" || given(prompt) !== undefined || question === undefined) {
    return toCardTitle(interaction);
  }
  return others.length === 0
    ? question.question
    : `${question.question} (and ${others.length} more)`;
}

function toApprovalTitle({ approval, toolName }: Interaction): string {
  if (approval?.change !== undefined) {
    return approval.change.before === undefined ? "Create a file?" : "Edit a file?";
  }
  if (typeof approval?.input["command"] === "string") return "Run a command?";
  return `Use ${toolName}?`;
}

function given(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === "" ? undefined : text;
}

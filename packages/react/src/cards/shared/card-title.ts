import { asTitleCode, type Approval, type Interaction } from "@holdpoint/protocol";

import { ENGLISH, translateTo, type Language } from "../../words/translate.ts";
import type { Say } from "../../words/use-words.ts";

/**
 * The title of a card: the requester's own title, unchanged. Without one, the file or the command; no other part of the
 * input, since the title would then be a sentence that no one wrote. Untrusted text, with code between backticks.
 */
export function toCardTitle(interaction: Interaction, say: Say): string {
  const { kind, approval, form, prompt, toolName, questions = [] } = interaction;
  switch (kind) {
    case "approval":
      return approval === undefined
        ? (given(prompt) ?? say("Use {tool}?", { tool: toolName }))
        : toApprovalTitle(interaction, approval, say);
    case "question":
      return (
        given(prompt) ??
        say("A question for you|{count} questions for you", {
          count: Math.max(1, questions.length),
        })
      );
    case "form":
      return given(prompt) ?? given(form?.schema.title) ?? say("A form to fill in");
  }
}

/** The title of the card in one line, or the question itself if the tool gave no title. */
export function toAskedTitle(interaction: Interaction, language: Language = ENGLISH): string {
  const say: Say = translateTo(language);
  const { kind, prompt, questions: [question, ...others] = [] } = interaction;
  if (kind !== "question" || given(prompt) !== undefined || question === undefined) {
    return toCardTitle(interaction, say);
  }
  return others.length === 0
    ? question.question
    : say("{question} (and {n} more)", { question: question.question, n: others.length });
}

function toApprovalTitle({ toolName, prompt }: Interaction, approval: Approval, say: Say): string {
  const { change, display, input } = approval;
  if (isPlan(toolName, input)) return say("Approve this plan?");
  const own = given(display.title) ?? given(prompt);
  if (own !== undefined) return own;
  if (change !== undefined) {
    const object = toLine(toFileName(change.path));
    return say(change.before === undefined ? "Create {object}?" : "Edit {object}?", { object });
  }
  const command = given(input["command"]);
  return command === undefined
    ? say("Use {tool}?", { tool: toolName })
    : say("Run {object}?", { object: asTitleCode(toLine(command)) });
}

/** Whether the call asks to carry out a plan. */
export function isPlan(toolName: string, input: Approval["input"]): boolean {
  return toolName === "ExitPlanMode" && given(input["plan"]) !== undefined;
}

/** Longer objects are cut: the card shows the whole input. */
const MAX_OBJECT_LENGTH = 64;

function toFileName(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== "") ?? path;
}

function toLine(text: string): string {
  const [line = ""] = text.trim().split("\n", 1);
  const isWhole = line === text.trim() && line.length <= MAX_OBJECT_LENGTH;
  return isWhole ? line : `${line.slice(0, MAX_OBJECT_LENGTH)} …`;
}

function given(text: unknown): string | undefined {
  return typeof text !== "string" || text.trim() === "" ? undefined : text;
}

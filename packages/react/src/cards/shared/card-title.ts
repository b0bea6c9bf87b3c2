import { asTitleCode, type Approval, type Interaction } from "@holdpoint/protocol";

import { ENGLISH, translateTo, type Language } from "../../words/translate.ts";
import type { Say } from "../../words/use-words.ts";

/** The title of a card: the tool's own words where they name what it acts on, else words made of its input. Untrusted text, with code between backticks. */
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

/** What is asked, in one line: the title of the card, or the question itself where the tool gave no title. */
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
  const { change, input } = approval;
  const title = given(approval.display.title);
  if (isPlan(toolName, input)) return say("Approve this plan?");
  const object = toObject(approval);
  if (title === undefined && given(prompt) !== undefined) return prompt ?? "";
  if (title !== undefined) {
    const isNamed = object === undefined || title.includes(object);
    return isNamed ? title : `${withoutMark(title)}: ${object}?`;
  }
  if (object === undefined) return say("Use {tool}?", { tool: toolName });
  if (change !== undefined) {
    return say(change.before === undefined ? "Create {object}?" : "Edit {object}?", { object });
  }
  if (given(input["command"]) !== undefined) {
    return say("Run {object}?", { object: asTitleCode(object) });
  }
  return say("Use {tool}: {object}?", { tool: toolName, object });
}

/** A plan that the agent asks to carry out. */
export function isPlan(toolName: string, input: Approval["input"]): boolean {
  return toolName === "ExitPlanMode" && given(input["plan"]) !== undefined;
}

/** Longer objects are cut: all of the input stands on the card. */
const MAX_OBJECT_LENGTH = 64;

/** What the call acts on, in a few words: the name of a file, the command, else the first text of its input. */
function toObject({ change, input }: Approval): string | undefined {
  if (change !== undefined) return toLine(toFileName(change.path));
  const text = given(input["command"]) ?? Object.values(input).map(given).find(Boolean);
  return text === undefined ? undefined : toLine(text);
}

function toFileName(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== "") ?? path;
}

function toLine(text: string): string {
  const [line = ""] = text.trim().split("\n", 1);
  const isWhole = line === text.trim() && line.length <= MAX_OBJECT_LENGTH;
  return isWhole ? line : `${line.slice(0, MAX_OBJECT_LENGTH)} …`;
}

function withoutMark(text: string): string {
  return text.replace(/[?.!:]+\s*$/u, "");
}

function given(text: unknown): string | undefined {
  return typeof text !== "string" || text.trim() === "" ? undefined : text;
}

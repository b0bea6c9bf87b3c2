import type { Interaction } from "./interaction.ts";
import { toMarkedString } from "./mark-text.ts";
import { maskCredentials } from "./mask-credentials.ts";
import { toPlainTitle } from "./title-parts.ts";

const MAX_OBJECT = 80;
const MAX_TITLE = 140;
const MAX_NAME = 40;
/** More than that of a text is not looked at. */
const MAX_READ = 1000;

/**
 * What a notification says is asked, in one line with its object. It says nothing else of the input, and nothing that looks
 * like a credential.
 */
export function whatIsAsked(interaction: Interaction): string {
  return toLine(sentenceOf(interaction), MAX_TITLE);
}

/** A person's text on one line, bounded, without anything that looks like a credential. */
export function toShortLine(text: string): string {
  return toLine(text, MAX_TITLE);
}

/** The last folder of a path, which people know a project by. */
export function folderName(cwd: string): string {
  const name = cwd.split(/[/\\]/u).findLast((part) => part !== "") ?? cwd;
  return toLine(name, MAX_NAME);
}

/** A name on a screen that shows text as it is: on one line, bounded, and with marks where it hides something. */
export function toShortName(text: string): string {
  return toLine(text, MAX_NAME);
}

function sentenceOf({ kind, approval, toolName, prompt, questions, form }: Interaction): string {
  switch (kind) {
    case "approval":
      return approval ? approvalSentence(approval, { toolName, prompt }) : `Use ${toolName}?`;
    case "question": {
      const [question, ...others] = questions ?? [];
      const asked = given(prompt) ?? given(question?.question) ?? "A question for you";
      return others.length === 0
        ? asked
        : `${toLine(asked, MAX_OBJECT)} (and ${others.length} more)`;
    }
    case "form":
      return given(prompt) ?? given(form?.schema.title) ?? "A form to fill in";
  }
}

function approvalSentence(
  { change, input, display }: NonNullable<Interaction["approval"]>,
  { toolName, prompt }: Pick<Interaction, "toolName" | "prompt">,
): string {
  if (change) {
    const name = folderName(change.path);
    return change.before === undefined ? `Create ${name}?` : `Edit ${name}?`;
  }
  const { command } = input;
  if (typeof command === "string") return `Run ${toLine(command, MAX_OBJECT)}?`;
  if (toolName === "ExitPlanMode" && typeof input["plan"] === "string") return "Approve this plan?";
  return given(display.title) ?? given(prompt) ?? `Use ${toolName}?`;
}

function given(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === "" ? undefined : toPlainTitle(text);
}

function toLine(text: string, most: number): string {
  const [first = "", ...rest] = text
    .slice(0, MAX_READ)
    .trim()
    .split(/[\r\n\u2028\u2029]+/u);
  const marked = toMarkedString(maskCredentials(first));
  const characters = Array.from(marked);
  const isCut = rest.length > 0 || characters.length > most || text.length > MAX_READ;
  return isCut ? `${characters.slice(0, most).join("").trimEnd()}…` : marked;
}

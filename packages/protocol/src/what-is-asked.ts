import { ASKED_SAYINGS } from "./english-sayings.ts";
import { fillText } from "./fill-text.ts";
import type { Interaction } from "./interaction.ts";
import { toMarkedString } from "./mark-text.ts";
import { maskCredentials } from "./mask-credentials.ts";
import type { Saying } from "./said.ts";
import { toPlainTitle } from "./title-parts.ts";

const MAX_OBJECT = 80;
const MAX_TITLE = 140;
const MAX_NAME = 40;
/** More than that of a text is not looked at. */
const MAX_READ = 1000;

/**
 * What a notification says is asked, in one line with its object. It says nothing else of the input, and nothing that looks
 * like a credential. In English.
 */
export function whatIsAsked(interaction: Interaction): string {
  const { code, values = {} } = askedSaying(interaction);
  return fillText(ASKED_SAYINGS[code], { tag: "en" }, values);
}

type AskedCode = keyof typeof ASKED_SAYINGS;

/** The same, to be said in any language. */
export function askedSaying(interaction: Interaction): Saying & { readonly code: AskedCode } {
  const { kind, approval, toolName, prompt, questions, form } = interaction;
  switch (kind) {
    case "approval":
      return approval ? askedApproval(approval, { toolName, prompt }) : use(toolName);
    case "question": {
      const [question, ...others] = questions ?? [];
      const asked = given(prompt) ?? given(question?.question);
      if (others.length === 0) return own(asked) ?? { code: "asked_question" };
      const text = toLine(asked ?? ASKED_SAYINGS.asked_question, MAX_OBJECT);
      return { code: "asked_questions", values: { question: text, n: others.length } };
    }
    case "form":
      return (
        own(ofServer(form, given(prompt) ?? given(form?.schema.title))) ?? { code: "asked_form" }
      );
  }
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

function askedApproval(
  { change, input, display }: NonNullable<Interaction["approval"]>,
  { toolName, prompt }: Pick<Interaction, "toolName" | "prompt">,
): ReturnType<typeof askedSaying> {
  if (toolName === "ExitPlanMode" && typeof input["plan"] === "string") {
    return { code: "asked_plan" };
  }
  const words = own(given(display.title) ?? given(prompt));
  if (words) return words;
  if (change) {
    const code = change.before === undefined ? "asked_create" : "asked_edit";
    return { code, values: { object: folderName(change.path) } };
  }
  const { command } = input;
  return typeof command === "string" && command.trim() !== ""
    ? { code: "asked_run", values: { object: toLine(command, MAX_OBJECT) } }
    : use(toolName);
}

function use(tool: string): ReturnType<typeof askedSaying> {
  return { code: "asked_use", values: { tool: toLine(tool, MAX_OBJECT) } };
}

/** What the asker says itself. */
function own(text: string | undefined): ReturnType<typeof askedSaying> | undefined {
  return text === undefined
    ? undefined
    : { code: "asked_own", values: { text: toLine(text, MAX_TITLE) } };
}

/** The words of an MCP server stand behind its name. */
function ofServer(form: Interaction["form"], text: string | undefined): string | undefined {
  const server = form?.server;
  return server && text !== undefined ? `${toShortName(server.name)}: ${text}` : text;
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

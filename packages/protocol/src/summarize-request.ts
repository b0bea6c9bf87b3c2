import { ASKED_SAYINGS } from "./english-sayings.ts";
import { fillText } from "./fill-text.ts";
import type { Interaction } from "./interaction.ts";
import { toMarkedString } from "./mark-text.ts";
import { maskCredentials } from "./mask-credentials.ts";
import type { Saying } from "./saying-schema.ts";
import { toPlainTitle } from "./title-parts.ts";

const MAX_OBJECT = 80;
const MAX_TITLE = 140;
const MAX_NAME = 40;
/** The most characters of a text that are read. */
const MAX_READ = 1000;

/**
 * Summarizes a request in one English line with its object, for a notification. Contains nothing else of the input, and
 * nothing that looks like a credential.
 */
export function summarizeRequest(interaction: Interaction): string {
  const { code, values = {} } = requestSaying(interaction);
  return fillText(ASKED_SAYINGS[code], { tag: "en" }, values);
}

type AskedCode = keyof typeof ASKED_SAYINGS;

/** Summarizes a request as a saying, for any language. See `summarizeRequest`. */
export function requestSaying(interaction: Interaction): Saying & { readonly code: AskedCode } {
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

/** Returns a person's text as one short line, without anything that looks like a credential. */
export function toShortLine(text: string): string {
  return toLine(text, MAX_TITLE);
}

/** Returns the last folder of a path, by which people recognize a project. */
export function folderName(cwd: string): string {
  const name = cwd.split(/[/\\]/u).findLast((part) => part !== "") ?? cwd;
  return toLine(name, MAX_NAME);
}

/** Returns a name as one short line, with marks for hidden characters, for screens that show text unchanged. */
export function toShortName(text: string): string {
  return toLine(text, MAX_NAME);
}

function askedApproval(
  { change, input, display }: NonNullable<Interaction["approval"]>,
  { toolName, prompt }: Pick<Interaction, "toolName" | "prompt">,
): ReturnType<typeof requestSaying> {
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

function use(tool: string): ReturnType<typeof requestSaying> {
  return { code: "asked_use", values: { tool: toLine(tool, MAX_OBJECT) } };
}

/** Returns the saying for the requester's text. */
function own(text: string | undefined): ReturnType<typeof requestSaying> | undefined {
  return text === undefined
    ? undefined
    : { code: "asked_own", values: { text: toLine(text, MAX_TITLE) } };
}

/** Puts the name of an MCP server before its text. */
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

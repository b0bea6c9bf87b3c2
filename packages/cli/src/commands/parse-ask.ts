import { readFileSync, statSync } from "node:fs";

import { type AskBody, InexactNumberError, parseExactJson } from "@holdpoint/protocol";

import { parseFlags } from "../flags.ts";
import { UsageError } from "../usage-error.ts";
import { ASK_FLAGS } from "./ask-help.ts";

/** The form field that holds a choice. */
export const CHOICE = "choice";

/** Values of the flags in `ASK_FLAGS`. */
type AskFlags = {
  readonly [
    TName in
      | "approve"
      | "callback"
      | "choose"
      | "data-dir"
      | "detail"
      | "form"
      | "key"
      | "label"
      | "prompt"
      | "timeout"
      | "url"
  ]?: string;
} & { readonly json?: boolean; readonly help?: boolean };

/** A script's request on the command line. */
export interface AskCommand {
  readonly flags: AskFlags;
  /** Absent: help is wanted. */
  readonly body?: AskBody;
}

const MAX_FILE_BYTES = 200_000;
const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses the arguments after `ask`, and reads the files that they name. Throws `UsageError`. */
export function parseAsk(args: readonly string[]): AskCommand {
  const known = ASK_FLAGS.map(({ flag }) => flag);
  const { flags: values, words } = parseFlags(args, known, "holdpoint ask --help");
  const flags = values as AskFlags;
  if (flags.help) return { flags };
  const [word] = words;
  if (word !== undefined) {
    throw new UsageError(`Unexpected argument "${word}". See holdpoint ask --help.`);
  }
  return { flags, body: toBody(flags) };
}

function assertOneKind({ approve, choose, form, detail, prompt }: AskFlags): void {
  if ([approve, choose, form].filter((one) => one !== undefined).length !== 1) {
    throw new UsageError(
      "Use exactly one of --approve, --choose and --form. See holdpoint ask --help.",
    );
  }
  if (approve === undefined && detail !== undefined) {
    throw new UsageError("--detail can be used only with --approve.");
  }
  if (approve !== undefined && prompt !== undefined) {
    throw new UsageError("--prompt cannot be used with --approve, which has a text.");
  }
}

function toBody(flags: AskFlags): AskBody {
  const { approve, choose, form, detail, prompt, label = "script", timeout, key, callback } = flags;
  assertOneKind(flags);
  const common = {
    label,
    ...(timeout !== undefined && { timeoutMs: readTime(timeout) }),
    // The prefix makes any key long enough.
    ...(key !== undefined && { idempotencyKey: `holdpoint-ask ${key}` }),
    ...(callback !== undefined && { callback: { url: callback } }),
  };
  if (approve !== undefined) {
    const description = detail === undefined ? undefined : readText(detail);
    return {
      kind: "approval",
      ...common,
      prompt: approve,
      ...(description !== undefined && { display: { description } }),
    };
  }
  if (choose !== undefined) {
    const inputSchema = choiceSchema(readChoices(choose));
    return { kind: "form", ...common, prompt: prompt ?? "Which one?", inputSchema };
  }
  const inputSchema = readForm(form ?? "");
  return { kind: "form", ...common, prompt: prompt ?? titleOf(inputSchema), inputSchema };
}

function readTime(text: string): number {
  const [, count, unit = ""] = /^(\d+(?:\.\d+)?)([smhd])$/u.exec(text) ?? [];
  const timeoutMs = Math.round(Number(count) * (UNITS[unit] ?? Number.NaN));
  if (timeoutMs >= 1000) return timeoutMs;
  throw new UsageError(
    `Invalid --timeout "${text}". Use a time of a second or more, such as 90s, 10m or 2h.`,
  );
}

function readChoices(text: string): string[] {
  const choices = text.split(",").map((choice) => choice.trim());
  if (choices.length >= 2 && !choices.includes("") && new Set(choices).size === choices.length) {
    return choices;
  }
  throw new UsageError(
    `Invalid --choose "${text}". Use two or more different words separated by commas, such as a,b,c.`,
  );
}

/** A form with one field, so that only one of the choices is an answer. */
function choiceSchema(choices: readonly string[]): Record<string, unknown> {
  const field = { type: "string", title: "Choice", enum: choices };
  return { type: "object", properties: { [CHOICE]: field }, required: [CHOICE] };
}

function readText(text: string): string {
  if (!text.startsWith("@")) return text;
  return readNamed("--detail", text.slice(1) === "-" ? 0 : text.slice(1));
}

function readForm(path: string): Record<string, unknown> {
  const text = readNamed("--form", path === "-" ? 0 : path);
  try {
    const schema = parseExactJson(text);
    if (typeof schema === "object" && schema !== null) return schema as Record<string, unknown>;
  } catch (error: unknown) {
    if (error instanceof InexactNumberError) throw new UsageError(`--form: ${error.message}`);
    // Handled by the error below.
  }
  throw new UsageError(`Invalid --form: ${path} is not a JSON Schema.`);
}

function titleOf({ title }: Record<string, unknown>): string {
  return typeof title === "string" && title.trim() !== "" ? title : "Please fill this in.";
}

/** `0` is the standard input. */
function readNamed(flag: string, path: string | 0): string {
  try {
    if (path !== 0 && statSync(path).size > MAX_FILE_BYTES) {
      throw new UsageError(`Invalid ${flag}: ${path} has more than ${MAX_FILE_BYTES / 1000} kB.`);
    }
    return readFileSync(path, "utf8").replace(/^\ufeff/, "");
  } catch (error: unknown) {
    if (error instanceof UsageError) throw error;
    const reason = error instanceof Error && "code" in error ? String(error.code) : "it failed";
    throw new UsageError(
      `${flag}: cannot read ${path === 0 ? "the standard input" : path} (${reason}).`,
      {
        cause: error,
      },
    );
  }
}

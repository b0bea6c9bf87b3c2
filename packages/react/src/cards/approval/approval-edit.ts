import type { Approval } from "@holdpoint/protocol";

import { formatJson } from "../../parts/format-json.ts";

type Input = Approval["input"];

/** The result of reading the editor's text. */
export type Edit =
  | { readonly status: "unchanged" }
  | { readonly status: "invalid"; readonly message: string }
  | { readonly status: "changed"; readonly input: Input };

/** The text to edit: the command alone where there is one, else the whole input as JSON. */
export function toEditText(input: Input): string {
  const { command } = input;
  return typeof command === "string" ? command : formatJson(input);
}

/** Reads the edited text. Parts of the input that were not in the editor stay as they were. */
export function parseEdit(input: Input, text: string): Edit {
  if (typeof input["command"] === "string") {
    if (text === input["command"]) return { status: "unchanged" };
    if (text.trim() === "") return { status: "invalid", message: "There is no command to run." };
    return { status: "changed", input: { ...input, command: text } };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const detail = error instanceof Error ? error.message : "";
    return { status: "invalid", message: `This is not JSON: ${detail}` };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { status: "invalid", message: "The input has to be a JSON object." };
  }
  if (JSON.stringify(value) === JSON.stringify(input)) return { status: "unchanged" };
  return { status: "changed", input: { ...value } };
}

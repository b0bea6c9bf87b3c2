import { type Approval, InexactNumberError, parseExactJson } from "@holdpoint/protocol";

import { formatJson } from "../../parts/format-json.ts";
import type { Words } from "../../words/use-words.ts";

type Input = Approval["input"];

/** The result of parsing the editor's text. */
export type Edit =
  | { readonly status: "unchanged" }
  | { readonly status: "invalid"; readonly message: Words; readonly detail?: string }
  | { readonly status: "changed"; readonly input: Input };

/** The text in the editor: one field of the input, or the whole input as JSON. */
export interface EditSubject {
  /** Absent: the whole input. */
  readonly field?: string;
  readonly label: Words;
}

/** The whole input. */
export const WHOLE_INPUT: EditSubject = { label: "New input, as JSON" };

/** Fields that a person is likely to edit, with a label for the editor. The first one in the input is used. */
const LABELS: Readonly<Record<string, Words>> = {
  command: "New command",
  plan: "New plan",
  content: "New file content",
  file_text: "New file content",
  new_string: "New replacement text",
  new_str: "New replacement text",
  newText: "New replacement text",
  new_source: "New replacement text",
  replace: "New replacement text",
};

/**
 * Chooses the text to edit. Text with carriage returns is edited as JSON, since a text field would silently drop them.
 * `whole`: the person wants to edit the whole input.
 */
export function toEditSubject(input: Input, whole: boolean): EditSubject {
  if (whole) return WHOLE_INPUT;
  const field = findText(input);
  if (field === undefined || (input[field] as string).includes("\r")) return WHOLE_INPUT;
  return { field, label: LABELS[field] ?? "New text" };
}

/** A known text field of the input, or its only field. */
function findText(input: Input): string | undefined {
  const names = Object.keys(input);
  const candidates = names.length === 1 ? names : Object.keys(LABELS);
  return candidates.find((name) => typeof input[name] === "string");
}

export function toEditText(input: Input, { field }: EditSubject): string {
  return field === undefined ? formatJson(input) : (input[field] as string);
}

/**
 * The other fields of the input, which run unchanged; absent if there are none. Omits the description of a command,
 * which is shown below it.
 */
export function toUnedited(input: Input, field: string | undefined): Input | undefined {
  if (field === undefined) return undefined;
  const isSaid = field === "command" && typeof input["description"] === "string";
  const others = Object.entries(input).filter(
    ([name]) => name !== field && !(isSaid && name === "description"),
  );
  return others.length > 0 ? Object.fromEntries(others) : undefined;
}

/** Parses the edited text. Parts of the input that were not in the editor stay unchanged. */
export function parseEdit(input: Input, { field }: EditSubject, text: string): Edit {
  if (field !== undefined) {
    if (text === input[field]) return { status: "unchanged" };
    if (field === "command" && text.trim() === "") {
      return { status: "invalid", message: "Enter a command." };
    }
    return { status: "changed", input: { ...input, [field]: text } };
  }
  const read = readJson(text);
  if (read.status === "invalid") return read;
  const { value } = read;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { status: "invalid", message: "The input must be a JSON object." };
  }
  if (JSON.stringify(value) === JSON.stringify(input)) return { status: "unchanged" };
  return { status: "changed", input: { ...value } };
}

function readJson(
  text: string,
): Extract<Edit, { status: "invalid" }> | { readonly status: "read"; readonly value: unknown } {
  try {
    return { status: "read", value: parseExactJson(text) };
  } catch (error) {
    if (error instanceof InexactNumberError) {
      const message = "This number cannot be stored exactly. Write it as a string:";
      return { status: "invalid", message, detail: error.path };
    }
    const detail = error instanceof Error ? error.message : "";
    return { status: "invalid", message: "Invalid JSON:", detail };
  }
}

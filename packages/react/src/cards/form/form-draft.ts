import { checkFieldValue, isSensitiveField } from "@holdpoint/protocol";

import type { DisplayField } from "./display-fields.ts";
import { fromLocalDateTime, toLocalDateTime } from "./local-date-time.ts";

/** The content of a field: the text as typed, one choice, or a list of choices; `yes` or `no` for a boolean. */
export type FieldInput = string | readonly string[];
/** A missing field is untouched or was emptied. */
export type FormDraft = ReadonlyMap<string, FieldInput>;

/** A draft with the defaults, or with the person's earlier values if the form is asked again. */
export function createFormDraft(fields: readonly DisplayField[]): FormDraft {
  return new Map(
    fields.flatMap((field) => {
      const input = toFieldInput(field, field.initialValue);
      return input === undefined ? [] : [[field.name, input] as const];
    }),
  );
}

function toFieldInput({ control }: DisplayField, value: unknown): FieldInput | undefined {
  switch (control) {
    case "checkboxes":
      return Array.isArray(value) ? value.filter((item) => typeof item === "string") : undefined;
    case "yes_no":
    case "checkbox":
      return typeof value === "boolean" ? (value ? "yes" : "no") : undefined;
    case "number":
      return typeof value === "number" ? String(value) : undefined;
    case "date_time":
      return typeof value === "string" ? toLocalDateTime(value) : undefined;
    case "text":
    case "long_text":
    case "secret":
    case "date":
    case "radios":
    case "select":
      return typeof value === "string" ? value : undefined;
  }
}

interface FormCheck {
  readonly values: Readonly<Record<string, unknown>>;
  /** Field → its error; empty if the form can be sent. */
  readonly errors: ReadonlyMap<string, string>;
}

/** The values to send, checked by the gateway's own rules. Empty optional fields are left out. */
export function checkForm(fields: readonly DisplayField[], draft: FormDraft): FormCheck {
  const values: [string, unknown][] = [];
  const errors = new Map<string, string>();
  for (const field of fields) {
    const result = readField(field, draft.get(field.name));
    const error =
      "error" in result ? result.error : checkFieldValue(field.schema, result.value, field);
    if (error !== undefined) errors.set(field.name, error);
    else if ("value" in result && result.value !== undefined) {
      values.push([field.name, result.value]);
    }
  }
  return { values: Object.fromEntries(values), errors };
}

type FieldReading = { readonly value: unknown } | { readonly error: string };
const NOTHING: FieldReading = { value: undefined };

/** The value of an input; `undefined` if nothing was entered. */
function readField(field: DisplayField, input: FieldInput | undefined): FieldReading {
  if (field.control === "checkboxes") return readChoices(field, input);
  if (field.control === "radios" || field.control === "select") return { value: input };
  const text = typeof input === "string" ? input : "";
  const trimmed = text.trim();
  if (trimmed === "") return NOTHING;
  switch (field.control) {
    case "yes_no":
    case "checkbox":
      return { value: text === "yes" };
    case "number":
      return readNumber(trimmed);
    case "date_time":
      return { value: fromLocalDateTime(text) ?? text };
    case "text":
      // An address that was pasted with spaces around it is still the same address.
      return { value: "format" in field.schema ? trimmed : text };
    case "long_text":
    case "secret":
    case "date":
      return { value: text };
  }
}

/** An empty selection is an answer only if the schema allows one. */
function readChoices(
  { schema, required }: DisplayField,
  input: FieldInput | undefined,
): FieldReading {
  const chosen = Array.isArray(input) ? [...input] : [];
  if (chosen.length > 0) return { value: chosen };
  const mayBeNone = required && schema.type === "array" && schema.minItems === 0;
  return mayBeNone ? { value: chosen } : NOTHING;
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Accepts a decimal comma, since phones of many countries have no point. A comma before three digits could separate
 * thousands, so it is an error.
 */
function readNumber(text: string): FieldReading {
  if (/^[+-]?\d{1,3}(?:[,.' ]\d{3})*,\d{3}$/.test(text)) {
    return { error: "Write it without separators, such as 1000 or 1.5." };
  }
  const plain = text.replace(/^([+-]?\d*),(\d+)$/, "$1.$2");
  // Avoids negative zero, which looks the same as zero.
  return NUMBER.test(plain) ? { value: Number(plain) + 0 } : { error: "Enter a number." };
}

/** A draft in its stored form: pairs, since a field may have any name. Secrets are never stored. */
export function toStoredForm(fields: readonly DisplayField[], draft: FormDraft): unknown {
  const secret = new Set(
    fields.filter(({ schema }) => isSensitiveField(schema)).map(({ name }) => name),
  );
  return [...draft].filter(([name]) => !secret.has(name));
}

/** Parses a stored draft, without values that no longer fit the fields. Undefined if there is none. */
export function parseFormDraft(
  fields: readonly DisplayField[],
  stored: unknown,
): FormDraft | undefined {
  if (!Array.isArray(stored)) return undefined;
  const known = new Map(fields.map((field) => [field.name, field]));
  const entries = stored.flatMap((entry: unknown): [string, FieldInput][] => {
    if (!Array.isArray(entry)) return [];
    const [name, input] = entry as unknown[];
    const field = typeof name === "string" ? known.get(name) : undefined;
    if (field === undefined || isSensitiveField(field.schema)) return [];
    if (field.control === "checkboxes") {
      const chosen = Array.isArray(input) ? input.filter((item) => typeof item === "string") : [];
      return [[field.name, chosen]];
    }
    return typeof input === "string" ? [[field.name, input]] : [];
  });
  return new Map(entries);
}

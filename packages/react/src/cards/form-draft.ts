import type { FormField } from "./form-schema.ts";

/** What stands in a field: text as typed, choices as a list. Absent: untouched and without a default. */
export type FieldInput = string | readonly string[];
export type FormDraft = ReadonlyMap<string, FieldInput>;

/** Filled with defaults, and with the person's own earlier values where it is asked again. */
export function createFormDraft(fields: readonly FormField[]): FormDraft {
  return new Map(
    fields.flatMap((field) => {
      const input = toFieldInput(field, field.defaultValue);
      return input === undefined ? [] : [[field.name, input] as const];
    }),
  );
}

function toFieldInput(field: FormField, value: unknown): FieldInput | undefined {
  if (value === undefined || value === null) return undefined;
  if (field.type === "choices") {
    return Array.isArray(value) ? value.filter((item) => typeof item === "string") : undefined;
  }
  if (field.type === "boolean") return value === true ? "yes" : "no";
  if (field.type === "number") return typeof value === "number" ? String(value) : undefined;
  return typeof value === "string" ? value : undefined;
}

export interface FormCheck {
  readonly values: Readonly<Record<string, unknown>>;
  /** Field → what is wrong with it; empty when it can be sent. */
  readonly errors: ReadonlyMap<string, string>;
}

/** The values to send. Optional fields that were left empty are left out. */
export function checkForm(fields: readonly FormField[], draft: FormDraft): FormCheck {
  const values: [string, unknown][] = [];
  const errors = new Map<string, string>();
  for (const field of fields) {
    const result = checkField(field, draft.get(field.name));
    if ("error" in result) errors.set(field.name, result.error);
    else if (result.value !== undefined) values.push([field.name, result.value]);
  }
  return { values: Object.fromEntries(values), errors };
}

type FieldCheck = { readonly value: unknown } | { readonly error: string };

function checkField(field: FormField, input: FieldInput | undefined): FieldCheck {
  if (field.type === "choices") return checkChoices(field, input);
  const text = typeof input === "string" ? input : "";
  if (text.trim() === "") {
    return field.required ? { error: emptyWords(field) } : { value: undefined };
  }
  switch (field.type) {
    case "boolean":
      return { value: text === "yes" };
    case "choice":
      return field.choices.some(({ value }) => value === text)
        ? { value: text }
        : { error: "Choose one of the options." };
    case "number":
      return checkNumber(field, text);
    case "text":
      return checkText(field, text);
  }
}

function emptyWords(field: FormField): string {
  return field.type === "boolean" || field.type === "choice"
    ? "Choose an answer."
    : "Fill this in.";
}

function checkChoices(
  field: FormField & { type: "choices" },
  input: FieldInput | undefined,
): FieldCheck {
  const chosen = Array.isArray(input) ? input : [];
  const { minItems = field.required ? 1 : 0, maxItems = Infinity } = field;
  if (chosen.length === 0 && !field.required) return { value: undefined };
  if (chosen.length < minItems) return { error: `Choose at least ${minItems}.` };
  if (chosen.length > maxItems) return { error: `Choose at most ${maxItems}.` };
  return { value: chosen };
}

function checkNumber(field: FormField & { type: "number" }, text: string): FieldCheck {
  const value = Number(text.trim());
  const { integer, minimum = -Infinity, maximum = Infinity } = field;
  if (!Number.isFinite(value)) return { error: "Enter a number." };
  if (integer && !Number.isInteger(value)) return { error: "Enter a whole number." };
  if (value < minimum) return { error: `Enter ${minimum} or more.` };
  if (value > maximum) return { error: `Enter ${maximum} or less.` };
  return { value };
}

function checkText(field: FormField & { type: "text" }, text: string): FieldCheck {
  const { minLength = 0, maxLength = Infinity, format } = field;
  // JSON Schema counts characters, not UTF-16 units.
  const length = Array.from(text).length;
  if (length < minLength) return { error: `Enter at least ${minLength} characters.` };
  if (length > maxLength) return { error: `Enter at most ${maxLength} characters.` };
  switch (format) {
    case "email":
      return /^[^\s@]+@[^\s@]+$/u.test(text)
        ? { value: text }
        : { error: "Enter an e-mail address." };
    case "uri":
      return URL.canParse(text)
        ? { value: text }
        : { error: "Enter a whole address, with https://." };
    case "date":
      return isDate(text) ? { value: text } : { error: "Enter a date." };
    case "date-time":
      return toInstant(text);
    case "plain":
    case "multiline":
      return { value: text };
  }
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** A local date and time as an instant. */
function toInstant(text: string): FieldCheck {
  const date = new Date(text);
  return Number.isNaN(date.getTime())
    ? { error: "Enter a date and a time." }
    : { value: date.toISOString() };
}

/** A stored draft as it is kept: pairs, since a field may have any name. */
export function toStoredForm(draft: FormDraft): unknown {
  return [...draft];
}

/** A stored draft, without what no longer fits the fields. */
export function parseFormDraft(
  fields: readonly FormField[],
  stored: unknown,
): FormDraft | undefined {
  if (!Array.isArray(stored)) return undefined;
  const known = new Map(fields.map((field) => [field.name, field]));
  const entries = stored.flatMap((entry: unknown): [string, FieldInput][] => {
    if (!Array.isArray(entry)) return [];
    const [name, input] = entry as unknown[];
    const field = typeof name === "string" ? known.get(name) : undefined;
    if (field === undefined) return [];
    if (field.type === "choices") {
      const chosen = Array.isArray(input) ? input.filter((item) => typeof item === "string") : [];
      return [[field.name, chosen]];
    }
    return typeof input === "string" ? [[field.name, input]] : [];
  });
  return new Map(entries);
}

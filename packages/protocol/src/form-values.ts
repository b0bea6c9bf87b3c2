/** The rules for form values, shared by cards and the gateway. Only the gateway also matches patterns. */
import { fieldChoices, isChoiceField } from "./form-field.ts";
import type {
  ChoicesField,
  FieldSchema,
  FormSchema,
  NumberField,
  TextField,
} from "./form-schema.ts";
import { hasFormat } from "./text-format.ts";

/** The longest text that a pattern is matched against, to limit the work. */
export const MAX_PATTERN_TEXT_LENGTH = 4096;

/** Returns the errors of form values by field, as texts for people. Empty if all are valid. Never quotes a value. */
export function checkFormValues(
  schema: FormSchema,
  values: Readonly<Record<string, unknown>>,
): Map<string, string> {
  const required = new Set(schema.required);
  const errors = new Map<string, string>();
  for (const name of Object.keys(values)) {
    if (!Object.hasOwn(schema.properties, name)) errors.set(name, "This was not asked.");
  }
  for (const [name, field] of Object.entries(schema.properties)) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    const error = checkFieldValue(field, value, { required: required.has(name) });
    if (error !== undefined) errors.set(name, error);
  }
  return errors;
}

/** Returns the error of one value. `undefined` means no value, which is an error only for a required field. */
export function checkFieldValue(
  field: FieldSchema,
  value: unknown,
  { required }: { readonly required: boolean },
): string | undefined {
  if (value === undefined) return required ? missingWords(field) : undefined;
  switch (field.type) {
    case "boolean":
      return typeof value === "boolean" ? undefined : "Answer Yes or No.";
    case "number":
    case "integer":
      return checkNumber(field, value);
    case "array":
      return checkChoices(field, value, required);
    case "string":
      if (isChoiceField(field)) {
        const isOffered = fieldChoices(field).some((choice) => choice.value === value);
        return isOffered ? undefined : "Choose one of the options.";
      }
      return checkText(field, value, required);
  }
}

function missingWords(field: FieldSchema): string {
  if (field.type === "boolean") return "Answer Yes or No.";
  if (field.type === "array") return atLeast(field.minItems ?? 1);
  return isChoiceField(field) ? "Choose one of the options." : "Required.";
}

function checkNumber({ type, minimum, maximum }: NumberField, value: unknown): string | undefined {
  if (typeof value !== "number" || !Number.isFinite(value)) return "Enter a number.";
  const isWhole = Number.isInteger(value);
  if (type === "integer" && !isWhole) return "Enter a whole number.";
  // A larger integer may lose precision on the way.
  if (isWhole && !Number.isSafeInteger(value)) return "This number is too large to be exact.";
  if (minimum !== undefined && value < minimum) return `Enter ${minimum} or more.`;
  if (maximum !== undefined && value > maximum) return `Enter ${maximum} or less.`;
  return undefined;
}

/** Returns the error of a multiple choice. A required field accepts an empty choice only if `minItems` allows it. */
function checkChoices(field: ChoicesField, value: unknown, required: boolean): string | undefined {
  const offered = new Set(fieldChoices(field).map((choice) => choice.value));
  const { minItems = required ? 1 : 0, maxItems = Infinity } = field;
  if (!Array.isArray(value) || !value.every((item) => offered.has(item as string))) {
    return "Choose from the options.";
  }
  if (new Set(value).size < value.length) return "An option was chosen twice.";
  if (value.length < minItems) return atLeast(minItems);
  if (value.length > maxItems) return `Choose at most ${maxItems}.`;
  return undefined;
}

/** Returns the error of a text. Blanks are not a value for a required field. */
function checkText(field: TextField, value: unknown, required: boolean): string | undefined {
  if (typeof value !== "string") return "Enter text.";
  if (required && value.trim() === "") return missingWords(field);
  const { minLength = 0, format } = field;
  const maxLength = maxTextLength(field);
  const length = codePointLength(value);
  if (length < minLength) return `Enter at least ${count(minLength, "character")}.`;
  if (length > maxLength) return `Enter at most ${count(maxLength, "character")}.`;
  return format === undefined || hasFormat(value, format) ? undefined : FORMAT_WORDS[format];
}

const FORMAT_WORDS: Readonly<Record<NonNullable<TextField["format"]>, string>> = {
  email: "Enter an e-mail address.",
  uri: "Enter a whole address, with https://.",
  date: "Enter a date.",
  "date-time": "Enter a date and a time.",
};

function maxTextLength({ maxLength, pattern }: TextField): number {
  return maxLength ?? (pattern === undefined ? Infinity : MAX_PATTERN_TEXT_LENGTH);
}

function codePointLength(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

function atLeast(least: number): string {
  return least === 1 ? "Choose at least one." : `Choose at least ${least}.`;
}

function count(amount: number, unit: string): string {
  return amount === 1 ? `1 ${unit}` : `${amount} ${unit}s`;
}

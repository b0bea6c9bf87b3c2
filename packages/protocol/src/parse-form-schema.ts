import type { z } from "zod";

import { fieldChoices, isChoiceField } from "./form-field.ts";
import {
  booleanFieldSchema,
  choiceFieldSchema,
  choicesFieldSchema,
  formSchema,
  numberFieldSchema,
  textFieldSchema,
  titledChoiceFieldSchema,
  type ChoiceField,
  type ChoicesField,
  type FieldSchema,
  type FormSchema,
  type TextField,
  type TitledChoiceField,
} from "./form-schema.ts";
import { MAX_PATTERN_TEXT_LENGTH } from "./form-values.ts";
import { isRecord } from "./is-record.ts";
import { ProtocolError } from "./protocol-error.ts";

/** The errors by path in the schema. */
type SchemaErrors = Record<string, string>;

/** Names that reach an object's prototype. */
const FORBIDDEN_NAMES = new Set(["__proto__", "constructor", "prototype"]);
const frameSchema = formSchema.omit({ properties: true });

/**
 * Returns the schema of a form that can be asked and answered. Throws a `ProtocolError` with the code
 * `INVALID_REQUEST`, which names each place that is outside of the subset or that no value could satisfy. Does not
 * check patterns.
 */
export function parseFormSchema(value: unknown): FormSchema {
  const errors: SchemaErrors = {};
  const { properties, ...frame } = isRecord(value) ? value : {};
  note(errors, "", frameSchema.safeParse(frame));
  if (!isRecord(properties)) errors["properties"] = "Name the fields.";
  const fields = Object.entries(isRecord(properties) ? properties : {});
  for (const [name, field] of fields) {
    const path = `properties.${name}`;
    if (FORBIDDEN_NAMES.has(name)) errors[path] = "A field cannot have this name.";
    else checkField(errors, path, field);
  }
  const known = new Set(fields.map(([name]) => name));
  const { required } = frame;
  for (const name of Array.isArray(required) ? required : []) {
    if (!known.has(String(name))) errors["required"] = `There is no field ${String(name)}.`;
  }
  const [first] = Object.entries(errors);
  if (first === undefined) return formSchema.parse(value);
  const detail = `This form cannot be shown: ${first.join(": ")}`;
  throw new ProtocolError("INVALID_REQUEST", detail, { fieldErrors: errors });
}

function checkField(errors: SchemaErrors, path: string, value: unknown): void {
  const variant = variantOf(value);
  if (variant === undefined) {
    errors[`${path}.type`] = "Use string, number, integer, boolean or array.";
    return;
  }
  const result = variant.safeParse(value);
  note(errors, `${path}.`, result);
  if (result.success) Object.assign(errors, prefixed(path, contradictionsOf(result.data)));
}

/** Returns the schema for the most likely kind of field, so that its errors say what to change. */
function variantOf(value: unknown): z.ZodType<FieldSchema> | undefined {
  if (!isRecord(value)) return undefined;
  switch (value["type"]) {
    case "string":
      if ("enum" in value) return choiceFieldSchema;
      return "oneOf" in value ? titledChoiceFieldSchema : textFieldSchema;
    case "number":
    case "integer":
      return numberFieldSchema;
    case "boolean":
      return booleanFieldSchema;
    case "array":
      return choicesFieldSchema;
    default:
      return undefined;
  }
}

/** Returns the errors of a field that no value could satisfy, or that contradicts itself. */
function contradictionsOf(field: FieldSchema): SchemaErrors {
  switch (field.type) {
    case "boolean":
      return {};
    case "number":
    case "integer":
      return rangeErrors("minimum", field.minimum, field.maximum);
    case "string":
      return isChoiceField(field) ? choiceContradictions(field) : textContradictions(field);
    case "array":
      return {
        ...choiceContradictions(field),
        ...rangeErrors("minItems", field.minItems, field.maxItems),
        ...rangeErrors("minItems", field.minItems, fieldChoices(field).length),
      };
  }
}

function choiceContradictions(field: ChoiceField | TitledChoiceField | ChoicesField): SchemaErrors {
  const values = fieldChoices(field).map((choice) => choice.value);
  const defaults = [field.default ?? []].flat();
  const names = "enumNames" in field ? field.enumNames : undefined;
  return {
    ...(new Set(values).size < values.length && { enum: "Two choices have the same value." }),
    ...(names?.length !== values.length && names && { enumNames: "Give each value one name." }),
    ...(!defaults.every((value) => values.includes(value)) && {
      default: "This is not one of the choices.",
    }),
  };
}

function textContradictions(field: TextField): SchemaErrors {
  const { format, multiline, sensitive, pattern, maxLength } = field;
  const errors = rangeErrors("minLength", field.minLength, maxLength);
  if (multiline && format !== undefined) errors["multiline"] = "Text with a format has one line.";
  if (sensitive && multiline) errors["sensitive"] = "Sensitive text has one line.";
  if (sensitive && field.default !== undefined) errors["default"] = "It would not stay a secret.";
  if (pattern !== undefined && (maxLength ?? 0) > MAX_PATTERN_TEXT_LENGTH) {
    errors["maxLength"] = `Text with a pattern has at most ${MAX_PATTERN_TEXT_LENGTH} characters.`;
  }
  return errors;
}

function rangeErrors(name: string, least = -Infinity, most = Infinity): SchemaErrors {
  return least > most ? { [name]: "The least is more than the most." } : {};
}

function note(errors: SchemaErrors, prefix: string, result: z.ZodSafeParseResult<unknown>): void {
  for (const { path, message } of result.error?.issues ?? []) {
    errors[`${prefix}${path.join(".")}`.replace(/\.$/, "") || "type"] ??= message;
  }
}

function prefixed(path: string, errors: SchemaErrors): SchemaErrors {
  return Object.fromEntries(Object.entries(errors).map(([key, text]) => [`${path}.${key}`, text]));
}

import { toDistinctTitles } from "./distinct-titles.ts";
import type { ChoiceField, ChoicesField, FieldSchema, TitledChoiceField } from "./form-schema.ts";

/** One choice of a field: the value that is sent, and the title that is shown. */
export interface FieldChoice {
  readonly value: string;
  readonly title: string;
}

export function isChoiceField(
  field: FieldSchema,
): field is ChoiceField | TitledChoiceField | ChoicesField {
  return field.type === "array" || "enum" in field || "oneOf" in field;
}

/** Returns the choices of a field in their order. No two titles look alike. */
export function fieldChoices(
  field: ChoiceField | TitledChoiceField | ChoicesField,
): readonly FieldChoice[] {
  const choices = writtenChoices(field);
  const titles = toDistinctTitles(choices.map(({ value, title }) => ({ name: value, title })));
  return choices.map(({ value, title }, at) => ({ value, title: titles[at] ?? title }));
}

function writtenChoices(
  field: ChoiceField | TitledChoiceField | ChoicesField,
): readonly FieldChoice[] {
  if ("oneOf" in field) return titledChoices(field.oneOf);
  if ("enum" in field) {
    return field.enum.map((value, place) => ({ value, title: field.enumNames?.[place] ?? value }));
  }
  return "anyOf" in field.items
    ? titledChoices(field.items.anyOf)
    : field.items.enum.map((value) => ({ value, title: value }));
}

/** Whether only the agent gets the values of a field. */
export function isSensitiveField(field: FieldSchema | undefined): boolean {
  return field !== undefined && "sensitive" in field && field.sensitive === true;
}

function titledChoices(values: TitledChoiceField["oneOf"]): readonly FieldChoice[] {
  return values.map(({ const: value, title = value }) => ({ value, title }));
}

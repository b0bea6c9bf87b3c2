import { checkFormValues, type FieldSchema, type FormSchema } from "@holdpoint/protocol";

import { compilePattern } from "./pattern.ts";

/** The errors in a form's values, as `values.<field>`; empty when the values are valid. Quotes no value. */
export function formErrors(
  schema: FormSchema,
  values: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const errors = checkFormValues(schema, values);
  for (const [name, field] of Object.entries(schema.properties)) {
    if (errors.has(name)) continue;
    const error = patternError(field, values[name]);
    if (error !== undefined) errors.set(name, error);
  }
  return Object.fromEntries([...errors].map(([name, error]) => [`values.${name}`, error]));
}

/** The value has passed all other checks, so a text is short enough to be matched. */
function patternError(field: FieldSchema, value: unknown): string | undefined {
  if (!("pattern" in field) || field.pattern === undefined) return undefined;
  if (typeof value !== "string") return undefined;
  return compilePattern(field.pattern)?.matches(value) ? undefined : "Wrong format.";
}

import type { Form } from "@holdpoint/protocol";

import { VisibleText } from "../parts/visible-text.tsx";
import { toFormFields } from "./form-schema.ts";
import type { FormField } from "./form-schema.ts";

/** What was filled in, field by field. */
export function FormValues({ form, values }: { form: Form; values: Record<string, unknown> }) {
  return (
    <dl className="hp-answers">
      {toFormFields(form).map((field) => (
        <div className="hp-answer" key={field.name}>
          <dt>
            <VisibleText text={field.title} />
          </dt>
          <dd>
            <VisibleText text={toValueWords(field, values[field.name])} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function toValueWords(field: FormField, value: unknown): string {
  if (value === undefined || value === null) return "Not given";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  const titleOf = (chosen: unknown) => {
    const choices = "choices" in field ? field.choices : [];
    return choices.find((choice) => choice.value === chosen)?.title ?? String(chosen);
  };
  if (Array.isArray(value)) return value.map(titleOf).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : titleOf(value);
}

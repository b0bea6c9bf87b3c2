import { TriangleAlert } from "lucide-react";

import { VisibleText } from "../parts/visible-text.tsx";
import type { FieldInput } from "./form-draft.ts";
import type { FieldChoice, FormField } from "./form-schema.ts";

interface FormFieldRowProps {
  /** Of the control that takes focus. */
  id: string;
  field: FormField;
  input: FieldInput | undefined;
  error?: string | undefined;
  readOnly: boolean;
  onChange: (input: FieldInput) => void;
}

/** From here on a choice is a list to open instead of radio buttons. */
const MAX_RADIOS = 5;
const BOOLEAN_CHOICES: readonly FieldChoice[] = [
  { value: "yes", title: "Yes" },
  { value: "no", title: "No" },
];

/** A field with its label, help, control and error. */
export function FormFieldRow(props: FormFieldRowProps) {
  const { id, field, error } = props;
  const described = [
    field.description !== undefined && `${id}-help`,
    error !== undefined && `${id}-error`,
  ].filter((part) => part !== false);
  const control = { ...props, describedBy: described.join(" ") || undefined };
  const words = (
    <>
      <VisibleText text={field.title} />
      {!field.required && <span className="hp-optional"> optional</span>}
    </>
  );
  const notes = (
    <>
      {field.description !== undefined && (
        <p className="hp-hint" id={`${id}-help`}>
          <VisibleText text={field.description} />
        </p>
      )}
    </>
  );
  const errorLine = error !== undefined && (
    <p className="hp-field-error" id={`${id}-error`}>
      <TriangleAlert aria-hidden />
      <VisibleText text={error} />
    </p>
  );
  if (isGroup(field)) {
    return (
      <fieldset className="hp-field" aria-describedby={control.describedBy}>
        <legend className="hp-label">{words}</legend>
        {notes}
        <GroupControl {...control} />
        {errorLine}
      </fieldset>
    );
  }
  return (
    <div className="hp-field">
      <label className="hp-label" htmlFor={id}>
        {words}
      </label>
      {notes}
      <SingleControl {...control} />
      {errorLine}
    </div>
  );
}

type ControlProps = FormFieldRowProps & { describedBy: string | undefined };

function isGroup(field: FormField): boolean {
  if (field.type === "choice") return field.choices.length <= MAX_RADIOS;
  return field.type === "boolean" || field.type === "choices";
}

/** Radios for one of few, checkboxes for any of several. "No" is an answer, so Yes and No are both choices. */
function GroupControl({ id, field, input, readOnly, onChange }: ControlProps) {
  const many = field.type === "choices";
  const choices = "choices" in field ? field.choices : BOOLEAN_CHOICES;
  const chosen = typeof input === "string" ? [input] : (input ?? []);
  const toggle = (value: string) => {
    if (!many) onChange(value);
    else if (chosen.includes(value)) onChange(chosen.filter((other) => other !== value));
    else onChange([...chosen, value]);
  };
  return (
    <div className={field.type === "boolean" ? "hp-options hp-options-row" : "hp-options"}>
      {choices.map(({ value, title }, index) => (
        <label key={value} className="hp-option" data-checked={chosen.includes(value) || undefined}>
          <input
            id={index === 0 ? id : undefined}
            type={many ? "checkbox" : "radio"}
            name={id}
            checked={chosen.includes(value)}
            aria-disabled={readOnly || undefined}
            onChange={() => toggle(value)}
          />
          <span className="hp-option-label">
            <VisibleText text={title} />
          </span>
        </label>
      ))}
    </div>
  );
}

const INPUT_TYPES = {
  plain: "text",
  email: "email",
  uri: "url",
  date: "date",
  "date-time": "datetime-local",
} as const;

function SingleControl({ id, field, input, error, readOnly, onChange, describedBy }: ControlProps) {
  const common = {
    id,
    className: "hp-input",
    value: typeof input === "string" ? input : "",
    "aria-invalid": error !== undefined,
    "aria-describedby": describedBy,
    "aria-required": field.required,
  };
  if (field.type === "choice") {
    return (
      <select
        {...common}
        aria-disabled={readOnly || undefined}
        onChange={(event) => onChange(event.target.value)}
      >
        <option value="">Choose…</option>
        {field.choices.map(({ value, title }) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </select>
    );
  }
  if (field.type === "text" && field.format === "multiline") {
    return (
      <textarea
        {...common}
        rows={3}
        readOnly={readOnly}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  }
  return (
    <input
      {...common}
      type={
        field.type === "text" && field.format !== "multiline" ? INPUT_TYPES[field.format] : "text"
      }
      inputMode={field.type === "number" ? (field.integer ? "numeric" : "decimal") : undefined}
      readOnly={readOnly}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

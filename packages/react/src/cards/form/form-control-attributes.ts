import type { FieldInput } from "./form-draft.ts";
import type { FormField } from "./form-fields.ts";

export interface FormFieldProps {
  /** Of the control that takes focus. */
  id: string;
  field: FormField;
  input: FieldInput | undefined;
  error?: string | undefined;
  readOnly: boolean;
  /** `undefined` empties the field. */
  onChange: (input: FieldInput | undefined) => void;
}

/** What a control gets: its field, and where its help and its error stand. */
export type FormControlProps = FormFieldProps & { describedBy: string | undefined };

/** What every native control has in common. */
export function toControlAttributes({ id, field, input, error, describedBy }: FormControlProps) {
  return {
    id,
    className: "hp-input",
    value: typeof input === "string" ? input : "",
    "aria-invalid": error !== undefined,
    "aria-describedby": describedBy,
    "aria-required": field.required,
  };
}

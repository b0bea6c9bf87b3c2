import type { DisplayField } from "./display-fields.ts";
import type { FieldInput } from "./form-draft.ts";

export interface FormFieldProps {
  /** The id of the control that takes the focus. */
  readonly id: string;
  readonly field: DisplayField;
  readonly input: FieldInput | undefined;
  readonly error?: string | undefined;
  readonly readOnly: boolean;
  /** `undefined` empties the field. */
  readonly onChange: (input: FieldInput | undefined) => void;
}

/** The props of a control: its field, and the ids of its help and its error. */
export type FormControlProps = FormFieldProps & { readonly describedBy: string | undefined };

interface ControlAttributes {
  readonly id: string;
  readonly className: string;
  readonly value: string;
  readonly "aria-invalid": boolean;
  readonly "aria-describedby": string | undefined;
  readonly "aria-required": boolean;
}

/** The attributes common to all native controls. */
export function toControlAttributes(props: FormControlProps): ControlAttributes {
  const { id, field, input, error, describedBy } = props;
  return {
    id,
    className: "hp-input",
    value: typeof input === "string" ? input : "",
    "aria-invalid": error !== undefined,
    "aria-describedby": describedBy,
    "aria-required": field.required,
  };
}

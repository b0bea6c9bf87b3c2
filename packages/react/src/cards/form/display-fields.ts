import {
  fieldChoices,
  isChoiceField,
  toDistinctTitles,
  type ChoiceField,
  type FieldChoice,
  type FieldSchema,
  type Form,
  type TextField,
  type TitledChoiceField,
} from "@holdpoint/protocol";

import type { Say } from "../../words/use-words.ts";

type FieldControl =
  | "text"
  | "long_text"
  | "secret"
  | "number"
  | "date"
  | "date_time"
  /** Two radio buttons: "No" is an answer. */
  | "yes_no"
  | "checkbox"
  | "radios"
  | "select"
  | "checkboxes";

export interface DisplayField {
  readonly name: string;
  readonly title: string;
  readonly description?: string;
  readonly required: boolean;
  readonly schema: FieldSchema;
  readonly control: FieldControl;
  /** The choices on offer; empty for fields without choices. */
  readonly choices: readonly FieldChoice[];
  /** The person's earlier value, or the default. */
  readonly initialValue?: unknown;
  readonly isForServer?: boolean;
}

/** Above this number, one choice of several is a drop-down list instead of radio buttons. */
const MAX_RADIOS = 5;
/** A text that may be this long gets several lines, even if the schema does not ask for them. */
const LONG_TEXT_LENGTH = 200;

/** The fields of a form in their order. Titles that are sayings of the gateway are translated by `say`. */
export function toDisplayFields(form: Form, say: Say): DisplayField[] {
  const { schema, said = {}, order = [], initialValues = {}, server } = form;
  const required = new Set(schema.required);
  const fields = new Map(Object.entries(schema.properties));
  const names = new Set([...order.filter((name) => fields.has(name)), ...fields.keys()]);
  const titleOf = (name: string, text: string): string =>
    Object.hasOwn(said, name) ? say.told(text, said[name]) : text;
  const titled = [...names].map((name) => ({
    name,
    title: titleOf(name, fields.get(name)?.title || name),
  }));
  const titles = toDistinctTitles(titled);
  return [...names].flatMap((name, at) => {
    const field = fields.get(name);
    if (field === undefined) return [];
    const initialValue = Object.hasOwn(initialValues, name) ? initialValues[name] : field.default;
    return {
      name,
      title: titles[at] ?? name,
      ...(field.description && { description: field.description }),
      required: required.has(name),
      schema: field,
      control: toControl(field, required.has(name)),
      choices: isChoiceField(field) ? fieldChoices(field) : [],
      ...(initialValue !== undefined && { initialValue }),
      ...(server && { isForServer: true }),
    };
  });
}

function toControl(field: FieldSchema, required: boolean): FieldControl {
  switch (field.type) {
    case "boolean":
      return required ? "yes_no" : "checkbox";
    case "number":
    case "integer":
      return "number";
    case "array":
      return "checkboxes";
    case "string":
      return isChoiceField(field) ? toChoiceControl(field) : toTextControl(field);
  }
}

/** The tool's choice of control; without one, it depends on the number of choices. */
function toChoiceControl(field: ChoiceField | TitledChoiceField): FieldControl {
  const { control } = field;
  if (control !== undefined) return control === "radio" ? "radios" : "select";
  return fieldChoices(field).length <= MAX_RADIOS ? "radios" : "select";
}

function toTextControl({ format, multiline, sensitive, maxLength = 0 }: TextField): FieldControl {
  if (format === "date") return "date";
  if (format === "date-time") return "date_time";
  if (sensitive) return "secret";
  const isLong = multiline ?? (format === undefined && maxLength > LONG_TEXT_LENGTH);
  return isLong ? "long_text" : "text";
}

import type { FieldSchema } from "@holdpoint/protocol";

/** A form as a list of fields, the short way to write one. */
export interface FormFields {
  readonly type: "form";
  readonly fields: readonly FormField[];
}

export interface FormField {
  readonly id: string;
  /** `checkbox` with options takes several of them; without, it is a yes or no. */
  readonly type: "text" | "textarea" | "number" | "date" | "select" | "radio" | "checkbox";
  readonly label: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly defaultValue?: unknown;
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  /** Text: reaches the agent and nobody else. */
  readonly sensitive?: boolean;
}

export interface FormParts {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly initialValues?: Readonly<Record<string, unknown>>;
}

export function isFormFields(schema: object): schema is FormFields {
  return "type" in schema && schema.type === "form" && "fields" in schema;
}

/** The same form as a schema. Throws `TypeError` for a list that makes none; the schema is yet to be checked. */
export function formFromFields({ fields }: FormFields): FormParts {
  if (!Array.isArray(fields)) throw new TypeError("`fields` is not a list.");
  const ids = fields.map(({ id }) => id);
  if (new Set(ids).size < ids.length) throw new TypeError("Two fields have the same id.");
  const required = fields.filter((field) => field.required === true).map(({ id }) => id);
  const values = fields.filter(({ defaultValue }) => defaultValue !== undefined);
  return {
    schema: {
      type: "object",
      properties: Object.fromEntries(fields.map((field) => [field.id, toSchema(field)])),
      ...(required.length > 0 && { required }),
    },
    ...(values.length > 0 && {
      initialValues: Object.fromEntries(values.map(({ id, defaultValue }) => [id, defaultValue])),
    }),
  };
}

function toSchema(field: FormField): FieldSchema {
  const about = {
    title: field.label,
    ...(field.description !== undefined && { description: field.description }),
  };
  const sensitive = field.sensitive === true ? { sensitive: true } : {};
  switch (field.type) {
    case "text":
      return { ...about, type: "string", ...sensitive };
    case "textarea":
      return { ...about, type: "string", multiline: true };
    case "number":
      return { ...about, type: "number" };
    case "date":
      return { ...about, type: "string", format: "date" };
    case "select":
    case "radio":
      return { ...about, type: "string", oneOf: choicesOf(field), control: field.type };
    case "checkbox":
      return field.options
        ? { ...about, type: "array", items: { type: "string", anyOf: choicesOf(field) } }
        : { ...about, type: "boolean" };
  }
}

function choicesOf({ id, options = [] }: FormField): { const: string; title: string }[] {
  if (options.length === 0) throw new TypeError(`The field ${id} has no options.`);
  return options.map(({ value, label }) => ({ const: value, title: label }));
}

import type { FieldSchema } from "@holdpoint/protocol";

/** A form as a list of fields, which is a short way to write one. */
export interface FormFields {
  readonly type: "form";
  readonly fields: readonly FormField[];
}

export interface FormField {
  readonly id: string;
  /** `checkbox` with options allows several of them; without options, it is a yes or no. */
  readonly type: "text" | "textarea" | "number" | "date" | "select" | "radio" | "checkbox";
  readonly label: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly defaultValue?: unknown;
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  /** Text only: the value reaches the agent and no one else. */
  readonly sensitive?: boolean;
}

export interface FormParts {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly initialValues?: Readonly<Record<string, unknown>>;
}

export function isFormFields(schema: object): schema is FormFields {
  return "type" in schema && schema.type === "form" && "fields" in schema;
}

/** Converts a list of fields to a schema, which is yet to be checked. Throws `TypeError` for an invalid list. */
export function formFromFields({ fields }: FormFields): FormParts {
  if (!Array.isArray(fields)) throw new TypeError("`fields` is not a list.");
  fields.forEach(checkField);
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

const WORDS: Record<keyof FormField, true> = {
  id: true,
  type: true,
  label: true,
  description: true,
  required: true,
  defaultValue: true,
  options: true,
  sensitive: true,
};
const TYPES: Record<FormField["type"], true> = {
  text: true,
  textarea: true,
  number: true,
  date: true,
  select: true,
  radio: true,
  checkbox: true,
};

/** Lists come from people's code, which may not be checked by a compiler. */
function checkField(field: unknown, place: number): void {
  const at = `\`fields[${place}]\``;
  if (typeof field !== "object" || field === null) throw new TypeError(`${at} is not an object.`);
  const { id, type } = field as Partial<Record<keyof FormField, unknown>>;
  if (typeof id !== "string" || id === "") throw new TypeError(`${at} has no \`id\`.`);
  if (typeof type !== "string" || !Object.hasOwn(TYPES, type)) {
    const types = Object.keys(TYPES).join(", ");
    throw new TypeError(`The field ${id} has a \`type\` that is none of ${types}.`);
  }
  const stray = Object.keys(field).find((key) => !Object.hasOwn(WORDS, key));
  if (stray === undefined) return;
  const words = Object.keys(WORDS).join(", ");
  throw new TypeError(
    `The field ${id} has an unknown ${JSON.stringify(stray)}; it can have ${words}.`,
  );
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

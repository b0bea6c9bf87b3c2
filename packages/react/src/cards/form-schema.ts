import type { Form } from "@holdpoint/protocol";

/** One choice of a field: what is sent, and what is read. */
export interface FieldChoice {
  readonly value: string;
  readonly title: string;
}

interface FieldFacts {
  readonly name: string;
  readonly title: string;
  readonly description?: string;
  readonly required: boolean;
  readonly defaultValue?: unknown;
}

/** A field of a form, from the MCP elicitation subset of JSON Schema. */
export type FormField = FieldFacts &
  (
    | {
        readonly type: "text";
        readonly format: "plain" | "multiline" | "email" | "uri" | "date" | "date-time";
        readonly minLength?: number;
        readonly maxLength?: number;
      }
    | {
        readonly type: "number";
        readonly integer: boolean;
        readonly minimum?: number;
        readonly maximum?: number;
      }
    | { readonly type: "boolean" }
    | { readonly type: "choice"; readonly choices: readonly FieldChoice[] }
    | {
        readonly type: "choices";
        readonly choices: readonly FieldChoice[];
        readonly minItems?: number;
        readonly maxItems?: number;
      }
  );

const MULTILINE_FROM_LENGTH = 200;

/** The fields of a form in the order in which they are asked. Unknown types are asked for as text. */
export function toFormFields(form: Form): readonly FormField[] {
  const properties: Record<string, unknown> = form.schema.properties;
  const required = new Set(form.schema.required);
  const names = Object.keys(properties);
  const order = (form.order ?? []).filter((name) => Object.hasOwn(properties, name));
  const sorted = [...new Set([...order, ...names])];
  return sorted.map((name) => {
    const schema = isRecord(properties[name]) ? properties[name] : {};
    const initial = form.initialValues?.[name] ?? schema["default"];
    const description = textOf(schema["description"]);
    return {
      name,
      title: textOf(schema["title"]) ?? name,
      ...(description !== undefined && { description }),
      required: required.has(name),
      ...(initial !== undefined && { defaultValue: initial }),
      ...toKind(schema),
    };
  });
}

type KindOf<T> = T extends unknown ? Omit<T, keyof FieldFacts> : never;

function toKind(schema: Record<string, unknown>): KindOf<FormField> {
  const choices = toChoices(schema);
  if (choices !== undefined) return { type: "choice", choices };
  switch (schema["type"]) {
    case "boolean":
      return { type: "boolean" };
    case "number":
    case "integer":
      return {
        type: "number",
        integer: schema["type"] === "integer",
        ...numbersOf(schema, ["minimum", "maximum"]),
      };
    case "array": {
      const items = isRecord(schema["items"]) ? schema["items"] : {};
      return {
        type: "choices",
        choices: toChoices(items) ?? [],
        ...numbersOf(schema, ["minItems", "maxItems"]),
      };
    }
    default:
      return {
        type: "text",
        format: toFormat(schema),
        ...numbersOf(schema, ["minLength", "maxLength"]),
      };
  }
}

function toFormat(schema: Record<string, unknown>): (FormField & { type: "text" })["format"] {
  const { format, maxLength } = schema;
  if (format === "email" || format === "uri" || format === "date" || format === "date-time") {
    return format;
  }
  if (format === "textarea" || format === "multiline") return "multiline";
  return typeof maxLength === "number" && maxLength > MULTILINE_FROM_LENGTH ? "multiline" : "plain";
}

/** `enum` (with `enumNames`), or `oneOf` / `anyOf` of titled constants. */
function toChoices(schema: Record<string, unknown>): readonly FieldChoice[] | undefined {
  if (Array.isArray(schema["enum"])) {
    const titles = stringsOf(schema["enumNames"]);
    return stringsOf(schema["enum"]).map((value, index) => ({
      value,
      title: titles[index] ?? value,
    }));
  }
  const titled = schema["oneOf"] ?? schema["anyOf"];
  if (!Array.isArray(titled)) return undefined;
  return titled.filter(isRecord).flatMap((one) => {
    const value = one["const"];
    return typeof value === "string" ? [{ value, title: textOf(one["title"]) ?? value }] : [];
  });
}

function numbersOf<K extends string>(schema: Record<string, unknown>, keys: readonly K[]) {
  const entries = keys.flatMap((key) => {
    const value = schema[key];
    return typeof value === "number" ? [[key, value] as const] : [];
  });
  return Object.fromEntries(entries) as Partial<Record<K, number>>;
}

function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

import type { ElicitationRequest } from "@anthropic-ai/claude-agent-sdk";
import type { HoldRequest } from "@holdpoint/engine";
import { isRecord } from "@holdpoint/protocol";

type FormRequest = Extract<HoldRequest, { kind: "form" }>["form"];
type Fields = Readonly<Record<string, unknown>>;

/** JSON Schema keywords that do not restrict values. */
const ANNOTATIONS: ReadonlySet<string> = new Set(
  "$comment $id examples deprecated readOnly writeOnly _meta additionalProperties".split(" "),
);
/** May be a secret: such a field's value is treated as sensitive. */
const SECRET_WORD =
  /pass(?:word|phrase|code|wd)|secret(?!ar)|token|credential|(?:api|access|private)[-_\s]?key|\b(?:pin|otp|cvv|cvc)\b/iu;
/** Certainly a secret, and not something about one, such as `token count` and `secret_name`. */
const SECRET =
  /(?:pass(?:word|phrase|code|wd)|secret(?!ar)|\btoken\b|(?:access|api|auth|bearer|refresh)[-\s]?tokens?\b|credentials?|(?:api|access|private)[-\s]?keys?|\b(?:pin|otp|cvv|cvc)\b)(?!\w*\s(?:amount|budget|count|file|hint|id|length|limit|manager|name|path|policy|symbol|type|usage)\b)/iu;
/** Certainly a secret in a number field, which is rarely one. */
const SECRET_NUMBER = /pass(?:code|wd)|\b(?:pin\s?code|otp|cvv|cvc)\b/iu;

/** Whether the form asks for a secret. MCP forbids this; the specification wants a separate page for secrets. */
export function asksForSecret({ mode = "form", requestedSchema }: ElicitationRequest): boolean {
  const properties = requestedSchema?.["properties"];
  if (mode !== "form" || !isRecord(properties)) return false;
  return Object.entries(properties).some(
    ([name, field]) => isRecord(field) && isSecret(name, field),
  );
}

function isSecret(name: string, field: Fields): boolean {
  const { type, title } = field;
  const isNumber = type === "integer" || type === "number";
  if (!isNumber && !isFreeText(field)) return false;
  const word = isNumber ? SECRET_NUMBER : SECRET;
  return [name, title].some((said) => typeof said === "string" && word.test(spaced(said)));
}

function isFreeText({ type, enum: choices, oneOf, format }: Fields): boolean {
  return type === "string" && !choices && !oneOf && format === undefined;
}

/**
 * An MCP server's request as a form. A field that may ask for a secret is sensitive, whatever the server declares.
 * Schemas outside the supported subset stay unchanged, and are refused when the person would be asked.
 */
export function toElicitationForm(request: ElicitationRequest, requestId: string): FormRequest {
  const { serverName, mode = "form", url = "", title, description } = request;
  const server = { name: serverName, requestId };
  const said = {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
  };
  if (mode === "url") {
    return { schema: { type: "object", ...said, properties: {} }, server, visit: { url } };
  }
  const { properties, ...frame } = request.requestedSchema ?? {};
  const fields = isRecord(properties)
    ? Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, toField(name, field)]),
      )
    : properties;
  return {
    schema: {
      type: "object",
      ...said,
      ...withoutSlips(withoutAnnotations(frame), fields),
      properties: fields === undefined ? {} : fields,
    },
    server,
  };
}

function toField(name: string, value: unknown): unknown {
  if (!isRecord(value)) return value;
  const field = withoutFieldSlips(withoutAnnotations(value));
  const { title } = field;
  const names = typeof title === "string" ? `${spaced(name)} ${spaced(title)}` : spaced(name);
  if (!isFreeText(field) || !SECRET_WORD.test(names)) return field;
  const { default: _shown, multiline: _lines, ...rest } = field;
  return { ...rest, sensitive: true };
}

/** Drops names in `required` that no field has, since they can never be filled in. */
function withoutSlips({ required, ...frame }: Fields, fields: unknown): Fields {
  if (required === undefined) return frame;
  if (!Array.isArray(required) || !isRecord(fields)) return { ...frame, required };
  const known = required.filter((name) => typeof name === "string" && Object.hasOwn(fields, name));
  return { ...frame, required: [...new Set(known)] };
}

/**
 * Drops a default that is not among the choices, and names that do not fit the choices. Neither restricts the values.
 */
function withoutFieldSlips(field: Fields): Fields {
  const { default: preset, enumNames, ...rest } = field;
  const choices = choicesOf(field);
  const presets = [preset].flat();
  const isPreset = !choices || presets.every((value) => choices.includes(value));
  const isNamed = Array.isArray(enumNames) && enumNames.length === choices?.length;
  return {
    ...rest,
    ...(preset !== undefined && isPreset && { default: preset }),
    ...(enumNames !== undefined && (isNamed || !choices) && { enumNames }),
  };
}

function choicesOf({ enum: values, oneOf, items }: Fields): readonly unknown[] | undefined {
  if (Array.isArray(values)) return values;
  if (isRecord(items)) return choicesOf({ enum: items["enum"], oneOf: items["anyOf"] });
  if (!Array.isArray(oneOf)) return undefined;
  return oneOf.map((choice: unknown) => (isRecord(choice) ? choice["const"] : undefined));
}

/** Splits `apiKey` and `api_key` into words. */
function spaced(name: string): string {
  return name.replace(/([a-z])([A-Z])/gu, "$1 $2").replaceAll("_", " ");
}

function withoutAnnotations(fields: Fields): Fields {
  const kept = Object.entries(fields).filter(
    ([name]) => !ANNOTATIONS.has(name) && !name.startsWith("x-"),
  );
  return Object.fromEntries(kept);
}

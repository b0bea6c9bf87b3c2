import type { ElicitationRequest } from "@anthropic-ai/claude-agent-sdk";
import type { HoldRequest } from "@holdpoint/engine";

type FormRequest = Extract<HoldRequest, { kind: "form" }>["form"];
type Fields = Readonly<Record<string, unknown>>;

/** Words of JSON Schema that say nothing about which values are taken. */
const ANNOTATIONS: ReadonlySet<string> = new Set(
  "$comment $id examples deprecated readOnly writeOnly _meta additionalProperties".split(" "),
);
/** A server must not ask for these in a form: the specification wants a page of its own for them. */
const SECRET_WORD =
  /pass(?:word|phrase|code|wd)|secret(?!ar)|token|credential|(?:api|access|private)[-_\s]?key|\b(?:pin|otp|cvv|cvc)\b/iu;

/**
 * What an MCP server asks, as a form. A field that asks for a secret by its name is sensitive, whatever the server says.
 * What is not in the subset stays as it is, and is refused when it is asked.
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
  const fields = isFields(properties)
    ? Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, toField(name, field)]),
      )
    : properties;
  return {
    schema: {
      type: "object",
      ...said,
      ...withoutAnnotations(frame),
      properties: fields === undefined ? {} : fields,
    },
    server,
  };
}

function toField(name: string, value: unknown): unknown {
  if (!isFields(value)) return value;
  const field = withoutAnnotations(value);
  const { type, title, enum: choices, oneOf, format } = field;
  const isText = type === "string" && !choices && !oneOf && format === undefined;
  const names = typeof title === "string" ? `${spaced(name)} ${spaced(title)}` : spaced(name);
  if (!isText || !SECRET_WORD.test(names)) return field;
  const { default: _shown, multiline: _lines, ...rest } = field;
  return { ...rest, sensitive: true };
}

/** `apiKey` and `api_key` as words. */
function spaced(name: string): string {
  return name.replace(/([a-z])([A-Z])/gu, "$1 $2").replaceAll("_", " ");
}

function withoutAnnotations(fields: Fields): Fields {
  const kept = Object.entries(fields).filter(
    ([name]) => !ANNOTATIONS.has(name) && !name.startsWith("x-"),
  );
  return Object.fromEntries(kept);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

import { ProtocolError } from "@holdpoint/protocol";

/** As much of a zod schema as checking needs. */
interface Schema<T> {
  safeParse(value: unknown): Parsed<T>;
}

type Parsed<T> =
  | { readonly success: true; readonly data: T }
  | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } };

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** The gateway's limits of bodies, in UTF-8 bytes. */
const MAX_BODY_BYTES = 256 * 1024;
export const MAX_RESPONSE_BYTES = 64 * 1024;

/** The value as it would arrive over a wire: a copy that shares nothing, without `undefined` members. */
export function copyJson<T>(value: T): T {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T);
}

/** Copies and checks a body as the gateway's HTTP routes do; one beyond its limit is `TOO_LARGE`. */
export function parseBody<T>(schema: Schema<T>, body: unknown, maxBytes = MAX_BODY_BYTES): T {
  const text = JSON.stringify(body) as string | undefined;
  if (text !== undefined && new TextEncoder().encode(text).length > maxBytes) {
    throw new ProtocolError("TOO_LARGE", `A body here may have at most ${maxBytes} bytes.`);
  }
  return parseInput(schema, text === undefined ? undefined : JSON.parse(text));
}

/** Checks input as the gateway's HTTP routes do; what does not fit is `BAD_REQUEST`. */
export function parseInput<T>(schema: Schema<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const fieldErrors: Record<string, string> = {};
  for (const { path, message } of parsed.error.issues) {
    fieldErrors[path.map(String).join(".")] ??= message;
  }
  const [[field, message] = ["", "Wrong shape."]] = Object.entries(fieldErrors);
  const detail = field === "" ? message : `${field}: ${message}`;
  throw new ProtocolError("BAD_REQUEST", detail, { fieldErrors });
}

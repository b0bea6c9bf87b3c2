import {
  type ClientFrame,
  clientFrameSchema,
  type HelloFrame,
  helloFrameSchema,
  ProtocolError,
  SOCKET_LIMITS,
} from "@holdpoint/protocol";

import { parseInput, toBadRequest } from "../http/parse-input.ts";
import { parseJson } from "../http/parse-json.ts";
import { MAX_RESPONSE_BYTES } from "../routes/respond-facts.ts";

/** What a client sent: a frame, or why it is none and which request is to hear of it. */
export type ReadFrame =
  | { readonly frame: ClientFrame }
  | { readonly error: ProtocolError; readonly requestId?: string };

/** A frame as it arrives. */
export interface RawFrame {
  readonly bytes: Buffer;
  readonly isBinary: boolean;
}

type JsonObject = Readonly<Record<string, unknown>>;

const RESPONSES: ReadonlySet<unknown> = new Set([
  "tool_interaction_response",
  "ask_user_response",
  "respond",
  "submitAnswers",
  "approveTool",
  "denyTool",
]);

/** The first frame. Throws `BAD_REQUEST` and `TOO_LARGE`. */
export function readHello(raw: RawFrame): HelloFrame {
  if (raw.bytes.length > SOCKET_LIMITS.helloBytes)
    throw tooLarge("The first frame", SOCKET_LIMITS.helloBytes);
  const object = parseObject(raw);
  if (object["type"] !== "hello")
    throw new ProtocolError("BAD_REQUEST", "The first frame must be `hello`.");
  return parseInput(helloFrameSchema, object) as HelloFrame;
}

/** Any other frame. Throws `BAD_REQUEST` for what cannot come from a client of this protocol, of whatever version. */
export function readClientFrame(raw: RawFrame): ReadFrame {
  const object = parseObject(raw);
  if (object["type"] === "hello") throw new ProtocolError("BAD_REQUEST", "`hello` comes once.");
  const requestId = toRequestId(object["requestId"]);
  const refused = (error: ProtocolError): ReadFrame => ({
    error,
    ...(requestId !== undefined && { requestId }),
  });
  if (isTooLargeResponse(object, raw.bytes))
    return refused(tooLarge("A response", MAX_RESPONSE_BYTES));
  const result = clientFrameSchema.safeParse(object);
  if (result.success) return { frame: result.data };
  const issues = result.error.issues.map(({ path, message }) => ({
    path: object["type"] === "request" ? withoutEnvelope(path) : path,
    message,
  }));
  return refused(toBadRequest(issues));
}

function parseObject({ bytes, isBinary }: RawFrame): JsonObject {
  const value = isBinary ? undefined : parseJson("A frame", bytes);
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as JsonObject;
  throw new ProtocolError("BAD_REQUEST", "A frame must be a JSON object, sent as text.");
}

function toRequestId(value: unknown): string | undefined {
  return typeof value === "string" && value.length >= 1 && value.length <= 128 ? value : undefined;
}

/** Responses have the limit of the HTTP routes that take them. */
function isTooLargeResponse(object: JsonObject, bytes: Buffer): boolean {
  if (bytes.length <= MAX_RESPONSE_BYTES) return false;
  if (object["type"] !== "request") return RESPONSES.has(object["type"]);
  if (!RESPONSES.has(object["method"])) return false;
  const { body } = (object["params"] ?? {}) as JsonObject;
  return Buffer.byteLength(JSON.stringify(body) ?? "") > MAX_RESPONSE_BYTES;
}

function tooLarge(what: string, maxBytes: number): ProtocolError {
  return new ProtocolError("TOO_LARGE", `${what} may have at most ${maxBytes} bytes.`);
}

/** Fields are named as on the HTTP routes: within the body, the query or the path. */
function withoutEnvelope(path: readonly PropertyKey[]): readonly PropertyKey[] {
  if (path[0] !== "params") return path;
  return path.slice(path[1] === "body" || path[1] === "query" ? 2 : 1);
}

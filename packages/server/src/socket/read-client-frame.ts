import {
  BODY_LIMITS,
  type ClientFrame,
  clientFrameSchema,
  factsOf,
  FRAME_OPERATIONS,
  type HelloFrame,
  helloFrameSchema,
  isRecord,
  type OperationName,
  OPERATIONS,
  parseInput,
  ProtocolError,
  SOCKET_LIMITS,
  toBadRequest,
  toInputError,
  tooLarge,
} from "@holdpoint/protocol";

import { parseJson } from "../http/parse-json.ts";

/** A valid frame, or an error with the id of the request to report it to. */
export type ReadFrame =
  | { readonly frame: ClientFrame }
  | { readonly error: ProtocolError; readonly requestId?: string };

/** A frame as received. */
export interface RawFrame {
  readonly bytes: Buffer;
  readonly isBinary: boolean;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Reads the first frame. Throws `BAD_REQUEST` and `TOO_LARGE`. */
export function readHello(raw: RawFrame): HelloFrame {
  if (raw.bytes.length > SOCKET_LIMITS.helloBytes) {
    throw tooLarge("The first frame", SOCKET_LIMITS.helloBytes);
  }
  const object = parseObject(raw);
  if (object["type"] !== "hello") {
    throw new ProtocolError("BAD_REQUEST", "The first frame must be `hello`.");
  }
  return parseInput(helloFrameSchema, object);
}

/** Reads any later frame. Throws `BAD_REQUEST` for data that no version of the protocol allows. */
export function readClientFrame(raw: RawFrame): ReadFrame {
  const object = parseObject(raw);
  if (object["type"] === "hello") throw new ProtocolError("BAD_REQUEST", "`hello` comes once.");
  const requestId = toRequestId(object["requestId"]);
  const refused = (error: ProtocolError): ReadFrame => ({
    error,
    ...(requestId !== undefined && { requestId }),
  });
  if (isTooLargeResponse(object, raw.bytes)) {
    return refused(tooLarge("A response", BODY_LIMITS.responseBytes));
  }
  const result = clientFrameSchema.safeParse(object);
  if (result.success) return { frame: result.data };
  const { issues } = result.error;
  return refused(object["type"] === "request" ? toRequestError(issues) : toBadRequest(issues));
}

function parseObject({ bytes, isBinary }: RawFrame): JsonObject {
  const value = isBinary ? undefined : parseJson("A frame", bytes);
  if (isRecord(value)) return value;
  throw new ProtocolError("BAD_REQUEST", "A frame must be a JSON object, sent as text.");
}

function toRequestId(value: unknown): string | undefined {
  return typeof value === "string" && value.length >= 1 && value.length <= 128 ? value : undefined;
}

/** True for a response above the limit of the HTTP routes. */
function isTooLargeResponse(object: JsonObject, bytes: Buffer): boolean {
  const limit = BODY_LIMITS.responseBytes;
  if (bytes.length <= limit) return false;
  const name = operationOf(object);
  if (name === undefined || !factsOf(name).responds) return false;
  if (object["type"] !== "request") return true;
  const { body } = (object["params"] ?? {}) as JsonObject;
  return Buffer.byteLength(JSON.stringify(body) ?? "") > limit;
}

/** The operation of a frame, if it is recognisable. */
function operationOf({ type, method }: JsonObject): OperationName | undefined {
  if (type === "request") return isIn(OPERATIONS, method) ? method : undefined;
  return isIn(FRAME_OPERATIONS, type) ? FRAME_OPERATIONS[type] : undefined;
}

function isIn<TTable extends object>(table: TTable, name: unknown): name is keyof TTable {
  return typeof name === "string" && Object.hasOwn(table, name);
}

/** Names a request's fields like the HTTP routes do, without the enclosing frame. */
function toRequestError(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): ProtocolError {
  return toInputError(
    issues.map(({ path, message }) => ({
      path: path[0] === "params" ? path.slice(1) : path,
      message,
    })),
  );
}

import { InexactNumberError, parseExactJson, ProtocolError } from "@holdpoint/protocol";

/** Deep enough for any real value, and shallow enough that serialising it cannot overflow the stack. */
const MAX_DEPTH = 128;

/**
 * Parses a JSON text in UTF-8. Throws `BAD_REQUEST`, with `name` in its message, also for a number that cannot be
 * represented exactly.
 */
export function parseJson(name: string, bytes: Uint8Array): unknown {
  const value = parse(name, bytes);
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) {
      throw new ProtocolError("BAD_REQUEST", `${name} is nested more than ${MAX_DEPTH} levels.`);
    }
    level = level.flatMap((outer) =>
      typeof outer === "object" && outer !== null ? (Object.values(outer) as unknown[]) : [],
    );
  }
  return value;
}

function parse(name: string, bytes: Uint8Array): unknown {
  try {
    return parseExactJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof InexactNumberError) {
      throw new ProtocolError("BAD_REQUEST", `${name}: ${error.message}`, {}, { cause: error });
    }
    throw new ProtocolError("BAD_REQUEST", `${name} is not JSON in UTF-8.`, {}, { cause: error });
  }
}

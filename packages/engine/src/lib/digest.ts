import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import canonicalize from "canonicalize";

/** No canonical JSON begins with this. */
const ESCAPED = "\\";

/** The subject of an approval. The digest covers all of it and nothing else. */
export interface DigestInput {
  readonly tool: string;
  readonly input: Record<string, unknown>;
  readonly cwd: string;
  readonly sessionId: string;
}

/**
 * The hash of the call to run: equal for equal JSON values, regardless of the order of their keys. Throws for a value
 * that JSON cannot represent.
 */
export function digestOf({ tool, input, cwd, sessionId }: DigestInput): string {
  return hashOf({ tool, input, cwd, sessionId });
}

/** Lower-case hex SHA-256 over the canonical JSON (RFC 8785) of any JSON value. */
export function hashOf(value: unknown): string {
  return bytesToHex(sha256(utf8ToBytes(toCanonical(value))));
}

/**
 * The canonical JSON (RFC 8785) of any JSON value. Different texts mean different values. Throws as `digestOf` does.
 */
export function toCanonical(value: unknown): string {
  let canonical: string | undefined;
  try {
    canonical = canonicalize(value);
  } catch {
    // RFC 8785 excludes lone surrogates, but JSON allows them, and agents may send them.
    canonical = `${ESCAPED}${canonicalize(escapeTexts(value))}`;
  }
  if (canonical === undefined) throw new TypeError("The input is not JSON.");
  return canonical;
}

/** The value with each text written as JSON, so that lone surrogates become escapes. */
function escapeTexts(value: unknown): unknown {
  if (typeof value === "string") return JSON.stringify(value);
  if (Array.isArray(value)) return value.map(escapeTexts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [JSON.stringify(name), escapeTexts(inner)]),
  );
}

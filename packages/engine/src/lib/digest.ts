import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import canonicalize from "canonicalize";

/** Begins no canonical JSON. */
const ESCAPED = "\\";

/** What an approval is about. The digest covers all of it and nothing else. */
export interface DigestInput {
  readonly tool: string;
  readonly input: Record<string, unknown>;
  readonly cwd: string;
  readonly sessionId: string;
}

/**
 * The hash of what would run: equal for equal JSON values, whatever the order of their keys. Throws for what JSON
 * cannot carry.
 */
export function digestOf({ tool, input, cwd, sessionId }: DigestInput): string {
  return hashOf({ tool, input, cwd, sessionId });
}

/** Lower-case hex SHA-256 over the canonical JSON (RFC 8785) of any JSON value. */
export function hashOf(value: unknown): string {
  return bytesToHex(sha256(utf8ToBytes(toCanonical(value))));
}

/** The canonical JSON (RFC 8785) of any JSON value: texts that differ mean values that differ. Throws as `digestOf` does. */
export function toCanonical(value: unknown): string {
  let canonical: string | undefined;
  try {
    canonical = canonicalize(value);
  } catch {
    // RFC 8785 has no words for halves of surrogate pairs, but JSON carries them, and so may an agent.
    canonical = `${ESCAPED}${canonicalize(escapeTexts(value))}`;
  }
  if (canonical === undefined) throw new TypeError("The input is not JSON.");
  return canonical;
}

/** The same with each text written as JSON writes it: halves of surrogate pairs as escapes. */
function escapeTexts(value: unknown): unknown {
  if (typeof value === "string") return JSON.stringify(value);
  if (Array.isArray(value)) return value.map(escapeTexts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [JSON.stringify(name), escapeTexts(inner)]),
  );
}

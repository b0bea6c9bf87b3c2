import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import canonicalize from "canonicalize";

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
  const canonical = canonicalize(value);
  if (canonical === undefined) throw new TypeError("The input is not JSON.");
  return bytesToHex(sha256(utf8ToBytes(canonical)));
}

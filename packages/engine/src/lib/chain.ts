import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

import { toKey, withoutNul } from "./text-key.ts";

/** The place of an event in the chain of its session's log. */
export interface ChainLink {
  /** The hash of the previous event, in lower-case hex; `CHAIN_START` for the first one. */
  readonly previous: string;
  /** `chainKey` of the session. */
  readonly key: string;
  readonly seq: number;
  /** Exactly as stored. */
  readonly json: string;
}

/** Replaces the previous hash for the first event of a session. */
export const CHAIN_START = "0".repeat(64);

/** The session's id as it is hashed: unchanged, unless it has characters that UTF-8 or Postgres cannot store. */
export function chainKey(sessionId: string): string {
  return withoutNul(toKey(sessionId));
}

/**
 * The text that is hashed for an event, in UTF-8. An event's text and `seq` have no line break, so no two links have
 * the same text.
 */
export function chainText({ previous, key, seq, json }: ChainLink): string {
  return `${previous}\n${key}\n${seq}\n${json}`;
}

/** SHA-256 of `chainText`, in lower-case hex. Stores have their own, faster implementation. */
export function chainHash(link: ChainLink): string {
  return bytesToHex(sha256(utf8ToBytes(chainText(link))));
}

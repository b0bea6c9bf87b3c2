import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

import { toKey, withoutNul } from "./text-key.ts";

/** The place of an event in the chain of its session's log. */
export interface ChainLink {
  /** The hash of the event before, in lower-case hex; `CHAIN_START` for the first one. */
  readonly previous: string;
  /** `chainKey` of the session. */
  readonly key: string;
  readonly seq: number;
  /** Exactly as it is stored. */
  readonly json: string;
}

/** What stands in the place of the hash before the first event of a session. */
export const CHAIN_START = "0".repeat(64);

/** The session's id as it is hashed: the id itself, unless it has characters that UTF-8 or Postgres cannot keep. */
export function chainKey(sessionId: string): string {
  return withoutNul(toKey(sessionId));
}

/**
 * What the hash of an event is made of, in UTF-8. The text of an event and a `seq` have no line break, so that no two links
 * have the same text.
 */
export function chainText({ previous, key, seq, json }: ChainLink): string {
  return `${previous}\n${key}\n${seq}\n${json}`;
}

/** SHA-256 of it, in lower-case hex. Stores have a faster one of their own. */
export function chainHash(link: ChainLink): string {
  return bytesToHex(sha256(utf8ToBytes(chainText(link))));
}

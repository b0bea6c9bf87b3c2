import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

import { toCanonical } from "../lib/digest.ts";
import { equalTexts } from "../lib/equal-texts.ts";
import type { StoredGrant } from "../ports/grant-store.ts";

const MAX_CHECKED = 2000;

/**
 * Seals the grants and rules that this gateway creates, including everything that they cover. Someone who can write to
 * the store but does not have the key can neither add nor widen one.
 */
export class GrantSeal {
  readonly #key: Uint8Array;
  /** Verified rows, as text, because each command is compared with all rules. */
  readonly #checked = new Set<string>();

  /** The key has 32 bytes and is known only to the gateway. */
  constructor(key: Uint8Array) {
    this.#key = key;
  }

  put(row: StoredGrant): StoredGrant {
    const uses = row.grant.usesLeft;
    return { ...row, seal: `${uses ?? ""}:${this.#over(row, uses)}` };
  }

  /** Whether this gateway has sealed exactly this row and no use was added to it. */
  isOwn(row: StoredGrant): boolean {
    const text = JSON.stringify(row);
    if (this.#checked.has(text)) return true;
    const [, count = "", mark = ""] = /^(\d*):([\da-f]{64})$/.exec(row.seal ?? "") ?? [];
    const uses = count === "" ? undefined : Number(count);
    if (!equalTexts(this.#over(row, uses), mark)) return false;
    const { usesLeft } = row.grant;
    const isCounted = uses === undefined ? usesLeft === undefined : (usesLeft ?? Infinity) <= uses;
    if (!isCounted) return false;
    if (this.#checked.size >= MAX_CHECKED) this.#checked.clear();
    this.#checked.add(text);
    return true;
  }

  /** Covers everything except the fields that a use changes. */
  #over({ grant, keyHash, sessionId }: StoredGrant, uses: number | undefined): string {
    const { usesLeft: _left, lastUsedAt: _last, ...made } = grant;
    // Converted to the form in which a store returns it.
    const plain: unknown = JSON.parse(JSON.stringify({ made, keyHash, sessionId, uses }));
    return bytesToHex(hmac(sha256, this.#key, utf8ToBytes(toCanonical(plain))));
  }
}

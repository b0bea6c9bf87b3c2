import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

import { toCanonical } from "../lib/digest.ts";
import { equalTexts } from "../lib/equal-texts.ts";
import type { Credential, StoredCredential } from "../ports/credential-store.ts";

const MAX_CHECKED = 1000;

/**
 * The gateway's mark on the credentials that it has made. Whoever can write into the store, and does not have the key,
 * can make no credential and cannot give one of them other rights: a row alone is none.
 */
export class CredentialSeal {
  readonly #key: Uint8Array;
  /** Rows that were right, as text: checking a seal is most of the cost of looking a credential up. */
  readonly #checked = new Set<string>();

  /** The key has 32 bytes that only the gateway knows. */
  constructor(key: Uint8Array) {
    this.#key = key;
  }

  put(credential: Credential): StoredCredential {
    return { ...credential, seal: this.#over(credential) };
  }

  /** The credential, when this gateway has sealed it as it is. */
  check({ seal, ...credential }: StoredCredential): Credential | undefined {
    const { lastUsedAtMs: _, ...rights } = credential;
    const text = JSON.stringify([rights, seal]);
    if (this.#checked.has(text)) return credential;
    if (typeof seal !== "string" || !equalTexts(this.#over(credential), seal)) return undefined;
    if (this.#checked.size >= MAX_CHECKED) this.#checked.clear();
    this.#checked.add(text);
    return credential;
  }

  /** Over everything but the last use, which gives no rights. */
  #over(credential: Credential): string {
    const { lastUsedAtMs: _, ...rights } = credential;
    return bytesToHex(hmac(sha256, this.#key, utf8ToBytes(toCanonical(rights))));
  }
}

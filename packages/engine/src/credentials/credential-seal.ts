import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

import { toCanonical } from "../lib/digest.ts";
import { equalTexts } from "../lib/equal-texts.ts";
import type { Credential, StoredCredential } from "../ports/credential-store.ts";

const MAX_CHECKED = 1000;

/**
 * Seals the credentials that this gateway creates. Someone who can write to the store but does not have the key can
 * neither add a credential nor change the rights of one.
 */
export class CredentialSeal {
  readonly #key: Uint8Array;
  /** Verified rows, as text. Verifying a seal is most of the cost of looking up a credential. */
  readonly #checked = new Set<string>();

  /** The key has 32 bytes and is known only to the gateway. */
  constructor(key: Uint8Array) {
    this.#key = key;
  }

  put(credential: Credential): StoredCredential {
    return { ...credential, seal: this.#over(credential) };
  }

  /** The credential, if this gateway has sealed exactly this content. */
  check({ seal, ...credential }: StoredCredential): Credential | undefined {
    const { lastUsedAtMs: _, ...rights } = credential;
    const text = JSON.stringify([rights, seal]);
    if (this.#checked.has(text)) return credential;
    if (typeof seal !== "string" || !equalTexts(this.#over(credential), seal)) return undefined;
    if (this.#checked.size >= MAX_CHECKED) this.#checked.clear();
    this.#checked.add(text);
    return credential;
  }

  /** Covers everything except the last use, which gives no rights. */
  #over(credential: Credential): string {
    const { lastUsedAtMs: _, ...rights } = credential;
    return bytesToHex(hmac(sha256, this.#key, utf8ToBytes(toCanonical(rights))));
  }
}

import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import canonicalize from "canonicalize";

import type { Credential, StoredCredential } from "../ports/credential-store.ts";

/**
 * The gateway's mark on the credentials that it has made. Whoever can write into the store, and does not have the key,
 * can make no credential and cannot give one of them other rights: a row alone is none.
 */
export class CredentialSeal {
  readonly #key: Uint8Array;

  /** The key has 32 bytes that only the gateway knows. */
  constructor(key: Uint8Array) {
    this.#key = key;
  }

  put(credential: Credential): StoredCredential {
    return { ...credential, seal: this.#over(credential) };
  }

  /** The credential, when this gateway has sealed it as it is. */
  check({ seal, ...credential }: StoredCredential): Credential | undefined {
    return equalTexts(this.#over(credential), seal) ? credential : undefined;
  }

  /** Over everything but the last use, which gives no rights. */
  #over(credential: Credential): string {
    const { lastUsedAtMs: _, ...rights } = credential;
    const text = canonicalize(rights) ?? "";
    return bytesToHex(hmac(sha256, this.#key, utf8ToBytes(text)));
  }
}

/** In a time that does not depend on where they differ. */
function equalTexts(left: string, right: unknown): boolean {
  if (typeof right !== "string" || left.length !== right.length) return false;
  let difference = 0;
  for (let index = 0; index < left.length; index += 1) {
    difference |= left.charCodeAt(index) ^ right.charCodeAt(index);
  }
  return difference === 0;
}

import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts and authenticates bytes with a 32-byte key. Returns base64url. */
export function seal(key: Uint8Array, plain: Uint8Array): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce);
  const sealed = [cipher.update(plain), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat([nonce, ...sealed]).toString("base64url");
}

/** Returns `undefined` for text that was not sealed with this key. */
export function unseal(key: Uint8Array, text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64url");
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const options = { authTagLength: TAG_BYTES };
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), options);
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const plain = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([plain, decipher.final()]);
  } catch {
    return undefined;
  }
}

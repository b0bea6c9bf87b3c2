import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** Returns a random secret with that many bits, in URL-safe characters. */
export function createSecret(bits: 128 | 256): string {
  return randomBytes(bits / 8).toString("base64url");
}

/** Returns the SHA-256 of a secret in lower-case hex. Stored instead of the secret. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** Compares two results of `hashSecret` in constant time. */
export function equalHashes(left: string, right: string): boolean {
  const [leftBytes, rightBytes] = [Buffer.from(left), Buffer.from(right)];
  return leftBytes.length === rightBytes.length && timingSafeEqual(leftBytes, rightBytes);
}

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** A fresh secret of that many random bits, in URL-safe characters. */
export function createSecret(bits: 128 | 256): string {
  return randomBytes(bits / 8).toString("base64url");
}

/** What is kept instead of a secret: its SHA-256 in lower-case hex. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** Compares two results of `hashSecret` in constant time. */
export function equalHashes(left: string, right: string): boolean {
  const [leftBytes, rightBytes] = [Buffer.from(left), Buffer.from(right)];
  return leftBytes.length === rightBytes.length && timingSafeEqual(leftBytes, rightBytes);
}

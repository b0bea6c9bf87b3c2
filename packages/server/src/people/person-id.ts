import { createHash } from "node:crypto";

import type { SignIn } from "@holdpoint/engine";

/** Normalises an issuer URL. */
export function toIssuerKey(issuer: string): string {
  return new URL(issuer).href;
}

/**
 * Returns a person's id, derived from the issuer and the subject, and independent of the person's name. It reveals
 * neither, and cannot equal any name.
 */
export function toPersonId({ issuer, subject }: Pick<SignIn, "issuer" | "subject">): string {
  const text = JSON.stringify([toIssuerKey(issuer), subject]);
  return `per_${createHash("sha256").update(text).digest("base64url")}`;
}

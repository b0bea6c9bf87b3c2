import { createHash } from "node:crypto";

import type { SignIn } from "@holdpoint/engine";

/** The address of an issuer, the same however it is written. */
export function toIssuerKey(issuer: string): string {
  return new URL(issuer).href;
}

/**
 * The id of a person: the same for the same issuer and the issuer's own name for them, whatever they are called. It says
 * neither, and is no name that anybody can have.
 */
export function toPersonId({ issuer, subject }: Pick<SignIn, "issuer" | "subject">): string {
  const text = JSON.stringify([toIssuerKey(issuer), subject]);
  return `per_${createHash("sha256").update(text).digest("base64url")}`;
}

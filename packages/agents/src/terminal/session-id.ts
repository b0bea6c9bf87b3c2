import { createHash } from "node:crypto";

/** The gateway's session id for a terminal agent's own session id. */
export function toSessionId({ session }: { readonly session: string }): string {
  return `ses_t${shortDigestOf(session)}`;
}

/** A digest that is short enough for ids and file names. */
export function shortDigestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 24);
}

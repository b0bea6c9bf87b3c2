import { createHash } from "node:crypto";

/** The id here of what an agent in a terminal calls its session. */
export function toSessionId({ session }: { readonly session: string }): string {
  return `ses_t${shortDigestOf(session)}`;
}

/** Short enough for an id and a file's name, and different for different texts. */
export function shortDigestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 24);
}

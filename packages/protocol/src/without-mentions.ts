/**
 * A text of an agent's, for a message that the gateway or a page writes to an agent for a person. Claude's runtime reads each file
 * that such a message names by `@` and passes it to the model without asking anybody, where the `@` stands first or behind
 * a space (tried with version 2.1 of the runtime). What a person types is the person's own: it stays as it is.
 */
export function withoutMentions(text: string): string {
  return text.replace(/(?<=^|\s)@/gu, String.raw`\@`);
}

/** The same for JSON, which says exactly what it said before. */
export function jsonWithoutMentions(json: string): string {
  return json.replace(/(?<=^|\s)@/gu, String.raw`\u0040`);
}

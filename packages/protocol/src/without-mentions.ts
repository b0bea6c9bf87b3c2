/**
 * Escapes mentions in an agent's text that the gateway or a page sends to an agent for a person. Claude's runtime reads
 * each file that such a message mentions with `@`, at the start or after a space, and passes it to the model without
 * asking anyone (tried with version 2.1 of the runtime). Text that a person types stays unchanged.
 */
export function withoutMentions(text: string): string {
  return text.replace(/(?<=^|\s)@/gu, String.raw`\@`);
}

/** Escapes mentions in JSON, which keeps its exact meaning. */
export function jsonWithoutMentions(json: string): string {
  return json.replace(/(?<=^|\s)@/gu, String.raw`\u0040`);
}

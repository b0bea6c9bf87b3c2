/** Texts of the conversation. */
export const CONVERSATION_TEXTS = [
  "The queue",
  "The suggestions",
  "The tool call",
  "The way to pending interactions",
] as const;

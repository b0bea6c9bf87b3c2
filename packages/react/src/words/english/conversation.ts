/** Texts of the conversation. */
export const CONVERSATION_TEXTS = [
  "The queue",
  "The search",
  "The suggestions",
  "The tool call",
  "The way to pending interactions",
  "How long the agent runs everything without asking",
  "Runs everything without asking",
  "Not ended: {trouble}.",
  "End now",
  "Ending…",
  "ends now",
] as const;

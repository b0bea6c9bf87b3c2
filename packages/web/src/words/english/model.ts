/** Texts about the model of a session. */
export const MODEL_TEXTS = [
  "Model: {model}",
  "{model}, from its next answer on",
  "Which model the agent uses from here on. A turn that runs goes on with it.",
  "The agent did not say which models it has.",
  "Use this model",
] as const;

import type { Texts } from "@holdpoint/react/words";

/** Texts about the model of a session. */
export const MODEL = {
  "Model: {model}": "Modell: {model}",
  "{model}, starting with the next answer": "{model}, ab seiner nächsten Antwort",
  "The model that the agent uses from now on. A running turn continues with it.":
    "Welches Modell der Agent ab jetzt benutzt. Ein laufender Zug geht damit weiter.",
  "The agent did not list its models.": "Der Agent hat nicht gesagt, welche Modelle er hat.",
  "Use this model": "Dieses Modell benutzen",
} satisfies Texts;

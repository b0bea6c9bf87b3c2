import type { Texts } from "@holdpoint/react/words";

/** Texts about the model of a session. */
export const MODEL = {
  "Model: {model}": "Modell: {model}",
  "{model}, from its next answer on": "{model}, ab seiner nächsten Antwort",
  "Which model the agent uses from here on. A turn that runs goes on with it.":
    "Welches Modell der Agent ab jetzt benutzt. Ein laufender Zug geht damit weiter.",
  "The agent did not say which models it has.":
    "Der Agent hat nicht gesagt, welche Modelle er hat.",
  "Use this model": "Dieses Modell benutzen",
} satisfies Texts;

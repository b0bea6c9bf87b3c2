import type { CONVERSATION_TEXTS } from "../english/conversation.ts";
import type { Texts } from "../text.ts";

export const CONVERSATION: Texts<(typeof CONVERSATION_TEXTS)[number]> = {
  "The queue": "Die Warteschlange",
  "The search": "Die Suche",
  "The suggestions": "Die Vorschläge",
  "The tool call": "Der Werkzeugaufruf",
  "The way to pending interactions": "Der Weg zu offenen Anfragen",
  "How long the agent runs everything without asking":
    "Wie lange der Agent alles ausführt, ohne zu fragen",
  "Runs everything without asking": "Führt alles aus, ohne zu fragen",
  "Not ended: {trouble}.": "Nicht beendet: {trouble}.",
  "End now": "Jetzt beenden",
  "Ending…": "Wird beendet …",
  "ends now": "endet jetzt",
};

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
  "Find in this session": "In dieser Sitzung suchen",
  "Previous place": "Vorige Stelle",
  "Next place": "Nächste Stelle",
  "Close the search": "Suche schließen",
  "Not found": "Nicht gefunden",
  "{n} of {amount}": "{n} von {amount}",
  "{n} of {amount}, looking further back…": "{n} von {amount}, weiter zurück wird gesucht …",
  "{n} of {amount}, the rest could not be loaded": "{n} von {amount}, der Rest war nicht zu laden",
  "Looking further back…": "Weiter zurück wird gesucht …",
  "The rest could not be loaded": "Der Rest war nicht zu laden",
  "Try again": "Erneut versuchen",
};

import type { COMPLETED_TEXTS } from "../english/completed.ts";
import type { Texts } from "../text.ts";

export const COMPLETED: Texts<(typeof COMPLETED_TEXTS)[number]> = {
  Denied: "Abgelehnt",
  "Denied and stopped": "Abgelehnt und gestoppt",
  "Allowed by an earlier approval": "Durch eine frühere Freigabe erlaubt",
  Answered: "Beantwortet",
  "Skipped without an answer": "Ohne Antwort übersprungen",
  Cancelled: "Abgebrochen",
  "Sent:": "Gesendet:",
  "Edited before it was allowed": "Geändert, bevor es erlaubt wurde",
  "What was asked": "Was gefragt wurde",
  "What became of this": "Was daraus wurde",
  "What is known of this answer": "Was über diese Antwort bekannt ist",
  "Look whether it ran.": "Sehen Sie nach, ob es lief.",
  "The gateway or the agent was killed while this was handed over.":
    "Das Gateway oder der Agent wurde während der Übergabe beendet.",
  "The agent was asked to check.": "Der Agent wurde gebeten nachzusehen.",
  "Ask the agent to check": "Den Agenten nachsehen lassen",
  "Asking…": "Wird gefragt …",
  "Not sent. Ask again": "Nicht gesendet. Noch einmal fragen",
};

import type { Texts } from "../text.ts";

/** Texts of cards that can no longer be answered. */
export const COMPLETED = {
  Denied: "Abgelehnt",
  "Denied and stopped": "Abgelehnt und gestoppt",
  "Allowed by an earlier approval": "Durch eine frühere Freigabe erlaubt",
  Answered: "Beantwortet",
  "Skipped without an answer": "Ohne Antwort übersprungen",
  Cancelled: "Abgebrochen",
  Declined: "Abgelehnt",
  "Sent:": "Gesendet:",
  "Edited before it was allowed": "Geändert, bevor es erlaubt wurde",
  "What was asked": "Was gefragt wurde",
  "What became of this": "Was daraus wurde",
  "Look whether it ran.": "Sehen Sie nach, ob es lief.",
  "The gateway or the agent was killed while this was handed over.":
    "Das Gateway oder der Agent wurde während der Übergabe beendet.",
  "The agent was asked to check.": "Der Agent wurde gebeten nachzusehen.",
  "Ask the agent to check": "Den Agenten nachsehen lassen",
  "Asking…": "Wird gefragt …",
  "Not sent. Ask again": "Nicht gesendet. Noch einmal fragen",
  "The way to undo": "Der Weg zum Rückgängigmachen",
  Undo: "Rückgängig",
  "The agent gets it in a moment": "Der Agent bekommt sie gleich",
  "The agent gets it in {n} s.": "Der Agent bekommt sie in {n} s.",
  "Too late to undo: the agent has the answer.":
    "Zu spät zum Rückgängigmachen: Der Agent hat die Antwort.",
  "Not undone: the gateway did not say yes. Try again.":
    "Nicht rückgängig: Das Gateway hat nicht zugestimmt. Versuchen Sie es noch einmal.",
} satisfies Texts;

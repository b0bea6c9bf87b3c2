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
  "Check whether it ran.": "Sehen Sie nach, ob es lief.",
  "The gateway or the agent was killed during delivery.":
    "Das Gateway oder der Agent wurde während der Übergabe beendet.",
  "The agent was asked to check.": "Der Agent wurde gebeten nachzusehen.",
  "Ask the agent to check": "Den Agenten nachsehen lassen",
  "Asking…": "Wird gefragt …",
  "Not sent. Ask again": "Nicht gesendet. Noch einmal fragen",
  Undo: "Rückgängig",
  "Sending to the agent in a moment": "Der Agent bekommt sie gleich",
  "Sending to the agent in {n} s.": "Der Agent bekommt sie in {n} s.",
  "Too late to undo: the agent has the answer.":
    "Zu spät zum Rückgängigmachen: Der Agent hat die Antwort.",
  "Undo not confirmed by the gateway. Try again.":
    "Nicht rückgängig: Das Gateway hat nicht zugestimmt. Versuchen Sie es noch einmal.",
} satisfies Texts;

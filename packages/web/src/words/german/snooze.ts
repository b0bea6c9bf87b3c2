import type { Texts } from "@holdpoint/react/words";

/** Texts about snoozing and undoing. */
export const SNOOZE = {
  Snooze: "Später",
  "15 min": "15 Min.",
  "1 hour": "1 Stunde",
  "Tomorrow morning": "Morgen früh",
  Snoozed: "Zurückgestellt",
  "Snoozed ({n})": "Zurückgestellt ({n})",
  "until {time}": "bis {time}",
  "Bring back": "Zurückholen",
  "Back in the inbox": "Wieder im Eingang",
  "Allowed: {what}.": "Erlaubt: {what}.",
  "Denied: {what}.": "Abgelehnt: {what}.",
  "Answered: {what}.": "Beantwortet: {what}.",
  "{what} and {n} more": "{what} und {n} weitere",
  Messages: "Meldungen",
  "{count} answer undone.|{count} answers undone.":
    "{count} Antwort zurückgenommen.|{count} Antworten zurückgenommen.",
  "{count} too late to undo: its agent has the answer.|{count} too late to undo: their agents have the answers.":
    "Für {count} war es zu spät: Ihr Agent hat die Antwort.|Für {count} war es zu spät: Ihre Agenten haben die Antworten.",
  "{n} not confirmed as undone by the gateway.":
    "{n} vom Gateway nicht als zurückgenommen bestätigt.",
} satisfies Texts;

import type { Texts } from "@holdpoint/react/words";

/** Texts of the inbox, including its announcements and notifications. */
export const INBOX = {
  Inbox: "Eingang",
  "Close the inbox": "Eingang schließen",
  "No pending requests.": "Keine offenen Anfragen.",
  "No other pending requests.": "Keine weiteren offenen Anfragen.",
  "When an agent needs you, its request appears here.":
    "Was ein Agent von Ihnen braucht, steht dann hier.",
  "No agent waits for these; answers are sent as messages":
    "Darauf wartet kein Agent mehr; Antworten gehen als Nachricht",
  "Allow once or deny {count} identical request as well: {sessions}|Allow once or deny {count} identical requests as well: {sessions}":
    "{count} gleiche Anfrage mit erlauben (einmal) oder ablehnen: {sessions}|{count} gleiche Anfragen mit erlauben (einmal) oder ablehnen: {sessions}",
  "Waiting for you: {what}": "Wartet auf Sie: {what}",
  "Waiting for you: {n} in total": "Wartet auf Sie: {n} insgesamt",
  "Settled: {what}": "Erledigt: {what}",
  "In {folder}": "In {folder}",
  "For others to answer": "Für andere zum Beantworten",
} satisfies Texts;

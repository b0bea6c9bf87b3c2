import type { Texts } from "../text.ts";

/** Texts of the notes of an interaction. */
export const NOTES = {
  "Comments on this request": "Was darunter geschrieben wurde",
  Comment: "Kommentieren",
  "Comments ({count})": "Kommentare ({count})",
  "Your comment": "Ihr Kommentar",
  "Comments do not answer the request: it stays open, and the agent does not see them.":
    "Das ist keine Antwort: Die Anfrage bleibt offen, und der Agent erfährt nichts davon.",
  "Comments do not answer the request: it stays open. The program can read them.":
    "Das ist keine Antwort: Die Anfrage bleibt offen. Das Programm kann es lesen.",
  "Send comment": "Kommentar senden",
  "No comments yet": "Noch keine Kommentare",
  "the program": "das Programm",
  "cannot answer it": "kann es nicht beantworten",
  Remind: "Erinnern",
  "Reminded {when}": "Erinnert {when}",
  "Hand over": "Weitergeben",
  "Hand over to": "Wer statt Ihnen gefragt wird",
  "Someone who can answer it now or later. You can still answer it.":
    "Jemand, der es jetzt oder später beantworten kann. Sie können es weiterhin.",
  "Verified address of another person": "Eine andere Person, mit bestätigter Adresse",
  "{who} handed it over to {people}.": "{who} hat es an {people} weitergegeben.",
  "You handed it over to {people}.": "Sie haben es an {people} weitergegeben.",
  "Handed over to {people}, but still assigned to you: too few others have signed in.":
    "An {people} weitergegeben, und weiterhin für Sie: Zu wenige andere haben sich angemeldet.",
  "Returned to you after it was handed over to {people}: too few others could answer.":
    "Wieder für Sie, nachdem es an {people} weitergegeben war: Zu wenige andere konnten antworten.",
  "Returned to {who} after it was handed over to {people}: too few others could answer.":
    "Wieder für {who}, nachdem es an {people} weitergegeben war: Zu wenige andere konnten antworten.",
} satisfies Texts;

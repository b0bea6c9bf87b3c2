import type { Texts } from "../text.ts";

/** Texts of the notes of an interaction. */
export const NOTES = {
  "What is written under this": "Was darunter geschrieben wurde",
  Comment: "Kommentieren",
  "Comments ({count})": "Kommentare ({count})",
  "Your comment": "Ihr Kommentar",
  "It is no answer: this stays open, and the agent does not get it.":
    "Das ist keine Antwort: Die Anfrage bleibt offen, und der Agent erfährt nichts davon.",
  "It is no answer: this stays open. The program can read it.":
    "Das ist keine Antwort: Die Anfrage bleibt offen. Das Programm kann es lesen.",
  "Send comment": "Kommentar senden",
  "No comments yet": "Noch keine Kommentare",
  "the program": "das Programm",
  "cannot answer it": "kann es nicht beantworten",
  Remind: "Erinnern",
  "Reminded {when}": "Erinnert {when}",
  "Hand over": "Weitergeben",
  "Who is asked instead of you": "Wer statt Ihnen gefragt wird",
  "Somebody who can answer it now or later. You still can.":
    "Jemand, der es jetzt oder später beantworten kann. Sie können es weiterhin.",
  "Another person, by verified address": "Eine andere Person, mit bestätigter Adresse",
  "{who} handed it over to {people}.": "{who} hat es an {people} weitergegeben.",
  "You handed it over to {people}.": "Sie haben es an {people} weitergegeben.",
  "Handed over to {people}, and still for you: too few others have signed in.":
    "An {people} weitergegeben, und weiterhin für Sie: Zu wenige andere haben sich angemeldet.",
  "For you again, after it was handed over to {people}: too few others could answer.":
    "Wieder für Sie, nachdem es an {people} weitergegeben war: Zu wenige andere konnten antworten.",
  "For {who} again, after it was handed over to {people}: too few others could answer.":
    "Wieder für {who}, nachdem es an {people} weitergegeben war: Zu wenige andere konnten antworten.",
} satisfies Texts;

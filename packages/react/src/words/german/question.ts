import type { Texts } from "../text.ts";

/** Texts of the question card. */
export const QUESTION = {
  "Choose any number.": "Wählen Sie beliebig viele.",
  Other: "Anderes",
  "Other, in your own words": "Anderes, in Ihren eigenen Worten",
  "in your own words…": "in eigenen Worten …",
  "Fill in “Other”": "Sagen Sie, was „Anderes“ ist",
  "Choose an answer": "Wählen Sie eine Antwort",
  Skip: "Überspringen",
  "Skip all": "Alle überspringen",
  Next: "Weiter",
  Review: "Überblick",
  Change: "Ändern",
  "Change the answer to {question}": "Antwort auf {question} ändern",
  "question {n}": "Frage {n}",
  "No answer yet": "Noch keine Antwort",
  "Still to answer: {names}": "Noch zu beantworten: {names}",
  Questions: "Fragen",
  ", answered": ", beantwortet",
  "Question {n} of {all}: {question}": "Frage {n} von {all}: {question}",
  "Review of your answers": "Überblick über Ihre Antworten",
  Preview: "Vorschau",
  "Preview · {option}": "Vorschau · {option}",
  "Preview of {option}": "Vorschau von {option}",
  "This option has no preview.": "Diese Möglichkeit hat keine Vorschau.",
} satisfies Texts;

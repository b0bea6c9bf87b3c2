import type { Texts } from "@holdpoint/react/words";

/** Texts of the page "History". */
export const HISTORY = {
  History: "Verlauf",
  "Answers from all sessions, newest first.":
    "Was in allen Sitzungen beantwortet wurde, das Neueste zuerst.",
  "One comment|{count} comments": "Ein Kommentar|{count} Kommentare",
  "Search the history": "Verlauf durchsuchen",
  "Command, question, answer, person or session": "Befehl, Antwort, Person, Sitzung",
  "Nothing was answered yet.": "Noch wurde nichts beantwortet.",
  "No answers match your search": "Nichts Beantwortetes enthält diese Wörter.",
  "Each approval, question and form is listed here with its answer.":
    "Jede Freigabe, jede Frage und jedes Formular steht hier mit der Antwort.",
  "{count} found|{count} found": "{count} gefunden|{count} gefunden",
  "More than {n} found": "Mehr als {n} gefunden",
  "Allowed by a grant": "Durch eine Erlaubnis erlaubt",
  Skipped: "Übersprungen",
  "No answers match these filters": "Nichts Beantwortetes passt zu diesen Filtern.",
  "Clear filters": "Filter löschen",
  "Show all answers": "Alle Antworten zeigen",
  Filters: "Filter",
  "Filters ({n})": "Filter ({n})",
  Person: "Person",
  All: "Alle",
  Answer: "Antwort",
  Allowed: "Erlaubt",
  "Denied or declined": "Abgelehnt",
  From: "Von",
  Until: "Bis",
  "Export as JSON Lines": "Als JSON Lines speichern",
  "Exporting…": "Wird gespeichert …",
  "{count} answer saved|{count} answers saved":
    "{count} Antwort gespeichert|{count} Antworten gespeichert",
} satisfies Texts;

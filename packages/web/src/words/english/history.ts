/** The page of what was answered. */
export const HISTORY_TEXTS = [
  "History",
  "What was answered in all sessions, newest first.",
  "Search the history",
  "Command, question, answer, person or session",
  "Nothing was answered yet.",
  "Nothing answered has these words.",
  "Each approval, question and form is listed here with its answer.",
  "{count} found|{count} found",
  "More than {n} found",
  "Allowed by a grant",
  "Skipped",
] as const;

/** Putting something off, and taking an answer back. */
export const SNOOZE_TEXTS = [
  "Snooze",
  "15 min",
  "1 hour",
  "Tomorrow morning",
  "Snoozed",
  "Snoozed ({n})",
  "until {time}",
  "Bring back",
  "Back in the inbox",
  "Allowed: {what}.",
  "Denied: {what}.",
  "Answered: {what}.",
  "{what} and {n} more",
] as const;

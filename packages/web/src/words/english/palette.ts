/** The palette. */
export const PALETTE_TEXTS = [
  "Go to",
  "Go to (Ctrl+K)",
  "Sessions, what waits for you, and actions",
  "Sessions",
  "Actions",
  "Found",
  "Nothing has these words.",
  "Start",
  "Keys",
  "System theme",
  "Light theme",
  "Dark theme",
  "Find in this session (Ctrl+F)",
] as const;

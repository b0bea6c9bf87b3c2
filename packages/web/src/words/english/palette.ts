/** Texts of the palette. */
export const PALETTE_TEXTS = [
  "Go to",
  "Go to (Ctrl+K)",
  "Sessions, pending requests and actions",
  "Sessions",
  "Actions",
  "Nothing has these words.",
  "Start",
  "Keyboard shortcuts",
  "System theme",
  "Light theme",
  "Dark theme",
  "Language: {language}",
  "Find in this session (Ctrl+F)",
] as const;

import type { Texts } from "@holdpoint/react/words";

import type { PALETTE_TEXTS } from "../english/palette.ts";

export const PALETTE: Texts<(typeof PALETTE_TEXTS)[number]> = {
  "Go to": "Gehe zu",
  "Go to (Ctrl+K)": "Gehe zu (Strg+K)",
  "Sessions, pending requests and actions": "Sitzungen, offene Anfragen und Aktionen",
  Sessions: "Sitzungen",
  Actions: "Aktionen",
  "Nothing has these words.": "Nichts enthält diese Wörter.",
  Start: "Start",
  "Keyboard shortcuts": "Tastenkürzel",
  "System theme": "Design des Systems",
  "Light theme": "Helles Design",
  "Dark theme": "Dunkles Design",
  "Language: {language}": "Sprache: {language}",
  "Find in this session (Ctrl+F)": "In dieser Sitzung suchen (Strg+F)",
};

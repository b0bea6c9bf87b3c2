import type { Texts } from "@holdpoint/react/words";

/** Texts of the palette. */
export const PALETTE = {
  "Go to": "Gehe zu",
  "Go to (Ctrl+K)": "Gehe zu (Strg+K)",
  "Sessions, pending requests and actions": "Sitzungen, offene Anfragen und Aktionen",
  Sessions: "Sitzungen",
  Actions: "Aktionen",
  "No results": "Nichts enthält diese Wörter.",
  Start: "Start",
  "Keyboard shortcuts": "Tastenkürzel",
  "System theme": "Design des Systems",
  "Light theme": "Helles Design",
  "Dark theme": "Dunkles Design",
  "Language: {language}": "Sprache: {language}",
  "Find in this session (Ctrl+F)": "In dieser Sitzung suchen (Strg+F)",
} satisfies Texts;

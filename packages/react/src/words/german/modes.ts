import type { Texts } from "../text.ts";

/** The labels of permission modes, which approvals name. */
export const MODES = {
  "Ask before acting": "Vorher fragen",
  "Accept edits": "Änderungen erlauben",
  "Plan first": "Erst planen",
  Automatic: "Automatisch",
  "Never ask": "Nie fragen",
  "Allow everything": "Alles erlauben",
} satisfies Texts;

import { GERMAN } from "../src/words/german.ts";
import type { Language } from "../src/words/translate.ts";

/** A right-to-left language with words a third longer. Reveals texts without room and texts missing in the catalogue. */
export const PSEUDO: Language = {
  tag: "ar",
  locale: "en",
  texts: Object.fromEntries(Object.keys(GERMAN).map((text) => [text, toPseudo(text)])),
};

function toPseudo(text: string): string {
  return text
    .split("|")
    .map((form) => `⟦${form}${"·".repeat(Math.ceil(form.length / 3))}⟧`)
    .join("|");
}

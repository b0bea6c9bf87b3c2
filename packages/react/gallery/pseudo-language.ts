import { ENGLISH_TEXTS } from "../src/words/english.ts";
import type { Language } from "../src/words/translate.ts";

/** A language from the right whose words are a third longer: it shows what has no room, and what is not in the catalogue. */
export const PSEUDO: Language = {
  tag: "ar",
  locale: "en",
  texts: Object.fromEntries(ENGLISH_TEXTS.map((text) => [text, toPseudo(text)])),
};

function toPseudo(text: string): string {
  return text
    .split("|")
    .map((form) => `⟦${form}${"·".repeat(Math.ceil(form.length / 3))}⟧`)
    .join("|");
}

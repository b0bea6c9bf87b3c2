import { ENGLISH, translateTo } from "../words/translate.ts";
import type { Say } from "../words/use-words.ts";

/** Translates this package's texts to English, outside of a component. */
export const sayEnglish: Say = translateTo(ENGLISH);

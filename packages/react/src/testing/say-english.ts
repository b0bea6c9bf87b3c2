import { ENGLISH, translateTo } from "../words/translate.ts";
import type { Say } from "../words/use-words.ts";

/** Says the texts of this package in English, outside of a component. */
export const sayEnglish: Say = translateTo(ENGLISH);

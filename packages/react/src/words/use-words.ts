import type { ReactText } from "./english.ts";
import { useTranslate } from "./language-context.ts";
import type { PlainText } from "./text.ts";
import type { Translate } from "./translate.ts";

/** Says a text of this package. */
export type Say = Translate<ReactText>;

/** A text of this package that needs no values. */
export type Words = PlainText<ReactText>;

/** Says the texts of this package in the nearest provider's language. */
export const useWords: () => Say = useTranslate<ReactText>;

import type { ReactText } from "./german.ts";
import { useTranslate } from "./language-context.ts";
import type { PlainText } from "./text.ts";
import type { Translate } from "./translate.ts";

/** Translates a text of this package. */
export type Say = Translate<ReactText>;

/** A text of this package without values. */
export type Words = PlainText<ReactText>;

/** Returns a function that translates this package's texts into the nearest provider's language. */
export const useWords: () => Say = useTranslate<ReactText>;

import { useTranslate, type PlainText, type Translate } from "@holdpoint/react/words";

import type { PageText } from "./german.ts";

/** Translates a text of the page or of the cards. */
export type Say = Translate<PageText>;

/** A text of the page without values. */
export type Words = PlainText<PageText>;

/** Returns a function that translates the page's texts into its language. */
export const useWords: () => Say = useTranslate<PageText>;

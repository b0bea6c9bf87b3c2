import {
  useTranslate,
  type PlainText,
  type ReactText,
  type Translate,
} from "@holdpoint/react/words";

import type { WebText } from "./english.ts";

/** Translates a text of the page or of the cards. */
export type Say = Translate<WebText | ReactText>;

/** A text of the page without values. */
export type Words = PlainText<WebText | ReactText>;

/** Returns a function that translates the page's texts into its language. */
export const useWords: () => Say = useTranslate<WebText | ReactText>;

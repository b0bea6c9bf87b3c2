import {
  useTranslate,
  type PlainText,
  type ReactText,
  type Translate,
} from "@holdpoint/react/words";

import type { WebText } from "./english.ts";

/** Says a text of the page, or one of the cards. */
export type Say = Translate<WebText | ReactText>;

/** A text of the page that needs no values. */
export type Words = PlainText<WebText | ReactText>;

/** Says the texts of the page in its language. */
export const useWords: () => Say = useTranslate<WebText | ReactText>;

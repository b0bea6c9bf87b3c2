import { ENGLISH, translateTo } from "@holdpoint/react/words";

import type { Say } from "../words/use-words.ts";

/** Translates the page's texts to English, outside of a component. */
export const sayEnglish: Say = translateTo(ENGLISH);

import { ENGLISH, translateTo } from "@holdpoint/react/words";

import type { Say } from "../words/use-words.ts";

/** Says the texts of the page in English, outside of a component. */
export const sayEnglish: Say = translateTo(ENGLISH);

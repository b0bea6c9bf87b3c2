import type { ReactText, Texts } from "@holdpoint/react/words";
import { GERMAN as REACT } from "@holdpoint/react/words/german";

import type { WebText } from "./english.ts";
import { DEVICES } from "./german/devices.ts";

/** Every text of the page and its cards, in German. */
export const GERMAN: Texts<WebText | ReactText> = {
  ...REACT,
  ...DEVICES,
};

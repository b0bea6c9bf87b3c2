import { DEVICES_TEXTS } from "./english/devices.ts";

/** Every text that this package shows, in English. A text is its own key; `{name}` is filled in, `|` parts singular and plural. */
export const ENGLISH_TEXTS: readonly WebText[] = [...DEVICES_TEXTS];

export type WebText = (typeof DEVICES_TEXTS)[number];

/** Exports for the page, which adds its own catalogue to this package's. */
export type { ReactText } from "./german.ts";
export { LanguageContext, useTranslate } from "./language-context.ts";
export type { PlainText, Texts } from "./text.ts";
export { directionOf, ENGLISH, translateTo, type Language, type Translate } from "./translate.ts";

import { createContext, use, type Context } from "react";

import { ENGLISH, translateTo, type Language, type Translate } from "./translate.ts";

/** The language of everything below the provider. */
export const LanguageContext: Context<Language> = createContext(ENGLISH);

/** The nearest provider's language; English without one. */
export function useLanguage(): Language {
  return use(LanguageContext);
}

/** Returns the translator of the nearest provider's language. Each catalogue wraps this in a hook typed by its texts. */
export function useTranslate<TText extends string>(): Translate<TText> {
  return translateTo<TText>(use(LanguageContext));
}

import { createContext, use, type Context } from "react";

import { ENGLISH, translateTo, type Language, type Translate } from "./translate.ts";

/** The language of everything below it. */
export const LanguageContext: Context<Language> = createContext(ENGLISH);

/** The nearest provider's language; without one it is English. */
export function useLanguage(): Language {
  return use(LanguageContext);
}

/** Says texts in the nearest provider's language. A catalogue has a hook of its own that names its texts. */
export function useTranslate<TText extends string>(): Translate<TText> {
  return translateTo<TText>(use(LanguageContext));
}

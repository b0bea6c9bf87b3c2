import { useEffect, useState, type ReactNode } from "react";

import { LanguageContext } from "./language-context.ts";
import { loadLanguage } from "./load-language.ts";
import { ENGLISH, type Language } from "./translate.ts";

export interface LanguageProviderProps {
  /** A tag such as `de`, whose texts are loaded; or a language with its texts. */
  readonly language: string | Language;
  readonly children: ReactNode;
}

/**
 * Sets the language of everything below it. Draws nothing while the texts of the first language are loaded, and keeps
 * the previous language while others are loaded. English if they cannot be loaded.
 */
export function LanguageProvider({ language, children }: LanguageProviderProps): ReactNode {
  const loaded = useLoaded(language);
  return loaded && <LanguageContext value={loaded}>{children}</LanguageContext>;
}

function useLoaded(wanted: string | Language): Language | undefined {
  const [loaded, setLoaded] = useState<Language>();
  useEffect(() => {
    if (typeof wanted !== "string") return undefined;
    let left = false;
    const show = (language: Language): void => {
      if (!left) setLoaded(language);
    };
    loadLanguage(wanted).then(show, () => show(ENGLISH));
    return () => void (left = true);
  }, [wanted]);
  return typeof wanted === "string" ? loaded : wanted;
}

import { ENGLISH, type Language } from "@holdpoint/react/words";

/** The languages of the page, each by its own name. */
export const LANGUAGES = { en: "English", de: "Deutsch" } as const;

type LanguageTag = keyof typeof LANGUAGES;

/**
 * The chosen language, with the browser's own variant of it. Without a choice English, whatever the browser prefers: the
 * conversation and the inbox have no German yet.
 */
export function toLanguageTag(chosen: string | undefined, preferred: readonly string[]): string {
  const tag = primaryOf([chosen ?? "en"].find(isSpoken) ?? "en");
  return preferred.find((one) => primaryOf(one) === tag) ?? tag;
}

function isSpoken(tag: string): tag is LanguageTag {
  return Object.hasOwn(LANGUAGES, primaryOf(tag));
}

function primaryOf(tag: string): string {
  return tag.toLowerCase().split("-", 1)[0] ?? tag;
}

/** Loads all texts of the language in one file. English, which is in the code, where that is not possible. */
export async function loadPageLanguage(locale: string): Promise<Language> {
  if (primaryOf(locale) !== "de") return { ...ENGLISH, locale };
  try {
    const { GERMAN } = await import("./german.ts");
    return { tag: "de", locale, texts: GERMAN };
  } catch {
    return ENGLISH;
  }
}

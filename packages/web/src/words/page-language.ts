import { ENGLISH, type Language } from "@holdpoint/react/words";

/** The languages of the page, each with its own name. */
export const LANGUAGES = { en: "English", de: "Deutsch" } as const;

type LanguageTag = keyof typeof LANGUAGES;

/** The tag of the chosen language, or of the browser's first supported one, with the browser's regional variant. */
export function toLanguageTag(chosen: string | undefined, preferred: readonly string[]): string {
  const spoken = (chosen === undefined ? preferred : [chosen]).find(isSpoken);
  const tag = primaryOf(spoken ?? "en");
  return preferred.find((one) => primaryOf(one) === tag) ?? tag;
}

function isSpoken(tag: string): tag is LanguageTag {
  return Object.hasOwn(LANGUAGES, primaryOf(tag));
}

function primaryOf(tag: string): string {
  return tag.toLowerCase().split("-", 1)[0] ?? tag;
}

/** Loads all texts of a language in one file. English, which is always included, if they cannot be loaded. */
export async function loadPageLanguage(locale: string): Promise<Language> {
  if (primaryOf(locale) !== "de") return { ...ENGLISH, locale };
  try {
    const { GERMAN, GERMAN_FRAMES, GERMAN_SAYINGS } = await import("./german.ts");
    return { tag: "de", locale, texts: GERMAN, sayings: GERMAN_SAYINGS, frames: GERMAN_FRAMES };
  } catch {
    return ENGLISH;
  }
}

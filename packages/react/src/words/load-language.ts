import { ENGLISH, type Language } from "./translate.ts";

/** The languages of this package's texts other than English. Each is loaded when it is chosen. */
const LOADERS: Readonly<
  Record<string, () => Promise<Pick<Language, "frames" | "sayings" | "texts">>>
> = {
  async de() {
    const { GERMAN, GERMAN_FRAMES, GERMAN_SAYINGS } = await import("./german.ts");
    return { texts: GERMAN, sayings: GERMAN_SAYINGS, frames: GERMAN_FRAMES };
  },
};

/** Loads a language with its texts by its tag; English if unknown. Rejects when it cannot be loaded. */
export async function loadLanguage(tag: string): Promise<Language> {
  const [primary = ""] = tag.toLowerCase().split("-", 1);
  const load = Object.hasOwn(LOADERS, primary) ? LOADERS[primary] : undefined;
  return load === undefined ? ENGLISH : { tag: primary, locale: tag, ...(await load()) };
}

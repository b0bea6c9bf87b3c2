import { ENGLISH, type Language } from "./translate.ts";

/** The languages that the texts of this package exist in, besides English. Each is loaded when it is chosen. */
const LOADERS: Readonly<
  Record<string, () => Promise<Pick<Language, "frames" | "sayings" | "texts">>>
> = {
  async de() {
    const { GERMAN, GERMAN_FRAMES, GERMAN_SAYINGS } = await import("./german.ts");
    return { texts: GERMAN, sayings: GERMAN_SAYINGS, frames: GERMAN_FRAMES };
  },
};

/** A language by its tag; its own texts are loaded with it. English for one that is not known. Rejects when it cannot be loaded. */
export async function loadLanguage(tag: string): Promise<Language> {
  const [primary = ""] = tag.toLowerCase().split("-", 1);
  const load = Object.hasOwn(LOADERS, primary) ? LOADERS[primary] : undefined;
  return load === undefined ? ENGLISH : { tag: primary, locale: tag, ...(await load()) };
}

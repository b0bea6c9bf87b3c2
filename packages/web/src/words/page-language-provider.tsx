import { directionOf, LanguageContext, type Language } from "@holdpoint/react/words";
import {
  createContext,
  use,
  useCallback,
  useEffect,
  useLayoutEffect,
  useState,
  type ReactNode,
} from "react";

import { loadPageLanguage, toLanguageTag } from "./page-language.ts";

type ChooseLanguage = (tag: string) => void;

const ChooseContext = createContext<ChooseLanguage>(() => undefined);

interface LanguageStorage {
  read(key: "language"): string | undefined;
  write(key: "language", tag: string): void;
  watch(key: "language", changed: () => void): () => void;
}

interface PageLanguageProviderProps {
  readonly storage: LanguageStorage;
  readonly initial: Language;
  readonly children: ReactNode;
}

/** The language of the page on this device. A change applies to all tabs at once, without a reload. */
export function PageLanguageProvider(props: PageLanguageProviderProps): ReactNode {
  const { storage, initial, children } = props;
  const [language, setLanguage] = useState(initial);
  const reload = useCallback(() => {
    const tag = toLanguageTag(storage.read("language"), navigator.languages);
    void loadPageLanguage(tag).then(setLanguage);
  }, [storage]);
  useEffect(() => storage.watch("language", reload), [storage, reload]);
  useLayoutEffect(() => {
    const { documentElement: page } = document;
    page.lang = language.tag;
    page.dir = directionOf(language);
  }, [language]);
  const choose = useCallback<ChooseLanguage>(
    (tag) => {
      storage.write("language", tag);
      reload();
    },
    [storage, reload],
  );
  return (
    <LanguageContext value={language}>
      <ChooseContext value={choose}>{children}</ChooseContext>
    </LanguageContext>
  );
}

/** Returns a function that chooses the language of the page and stores the choice on this device. */
export function useChooseLanguage(): ChooseLanguage {
  return use(ChooseContext);
}

import { useLanguage } from "@holdpoint/react";
import { useId, type ReactNode } from "react";

import { useChooseLanguage } from "../words/page-language-provider.tsx";
import { LANGUAGES } from "../words/page-language.ts";
import { useWords } from "../words/use-words.ts";

/** The language of this page on this device. */
export function LanguageSection(): ReactNode {
  const say = useWords();
  const { tag } = useLanguage();
  const choose = useChooseLanguage();
  const id = useId();
  return (
    <section className="access-section" aria-labelledby={id}>
      <div className="access-head">
        <h2 id={id}>{say("Language")}</h2>
        <select aria-labelledby={id} value={tag} onChange={(event) => choose(event.target.value)}>
          {Object.entries(LANGUAGES).map(([tag, name]) => (
            <option key={tag} value={tag} lang={tag}>
              {name}
            </option>
          ))}
        </select>
        <p className="quiet">
          {say(
            "For this page and its notifications, on this device. Text from agents and tools is not translated.",
          )}
        </p>
      </div>
    </section>
  );
}

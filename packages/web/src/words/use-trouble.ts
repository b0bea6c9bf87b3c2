import { toCallTroubleWords, useLanguage, type TroubleWords } from "@holdpoint/react";
import { useCallback } from "react";

interface Trouble extends TroubleWords {
  /** Title and remedy in one line. */
  readonly text: string;
}

/** Returns a function that explains a failed call to the gateway in the language of the page. */
export function useTrouble(): (error: unknown) => Trouble {
  const language = useLanguage();
  return useCallback(
    (error) => {
      const words = toCallTroubleWords(error, language);
      return { ...words, text: `${words.title}. ${words.wayOut}` };
    },
    [language],
  );
}

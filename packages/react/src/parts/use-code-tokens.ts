import { use, useEffect, useState } from "react";

import { CodeHighlightContext, type CodeToken } from "./code-highlighter.ts";
import { useUiClock } from "./ui-clock.tsx";

const MAX_CHARACTERS = 20_000;
/** Waits for a pause in a text that is still growing. */
const PAUSE_MS = 200;

interface Known {
  readonly text: string;
  readonly tokens: readonly CodeToken[];
}

/**
 * The tokens of a text; joined, they are the text. `undefined` until they are known, and for a text that is missing,
 * too long, or in no language.
 */
export function useCodeTokens(
  text: string | undefined,
  language: string | undefined,
): readonly CodeToken[] | undefined {
  const highlight = use(CodeHighlightContext);
  const clock = useUiClock();
  const [known, setKnown] = useState<Known>();
  useEffect(() => {
    const isShort = text !== undefined && text !== "" && text.length <= MAX_CHARACTERS;
    if (highlight === undefined || language === undefined || !isShort) return;
    let isCurrent = true;
    const cancel = clock.schedule(PAUSE_MS, () => {
      void highlight(text, language).then((tokens) => {
        // Tokens that do not match the text are discarded, so that the original text is drawn.
        const isSame = tokens?.map((token) => token.text).join("") === text;
        if (isCurrent && isSame) setKnown({ text, tokens: tokens ?? [] });
      });
    });
    return () => {
      isCurrent = false;
      cancel();
    };
  }, [highlight, clock, text, language]);
  return known?.text === text ? known?.tokens : undefined;
}

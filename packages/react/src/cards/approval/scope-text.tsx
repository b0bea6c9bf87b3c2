import type { Saying } from "@holdpoint/protocol";
import { useLayoutEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from "react";

import { useInView } from "../../parts/in-view.tsx";
import { SaidText } from "../../parts/said-text.tsx";
import { useUnshown } from "../../parts/unshown.tsx";
import { isLaidOut } from "../../parts/visible-part.ts";
import { useWords } from "../../words/use-words.ts";

interface ScopeTextProps {
  readonly id: string;
  readonly text: string;
  /** The sayings that came with the text. */
  readonly said: readonly Saying[] | undefined;
}

/** The coverage of a scope in a few lines. A longer text must be opened before the scope can be allowed. */
export function ScopeText({ id, text, said }: ScopeTextProps): ReactNode {
  const say = useWords();
  const words = useRef<HTMLParagraphElement>(null);
  const [opened, setOpened] = useState<string>();
  const isOpened = opened === text;
  useInView(words);
  const isCut = useIsCut(words, isOpened, text);
  const moves = useMemo(() => ({ show: () => setOpened(text) }), [text]);
  useUnshown(isCut ? say("Show the rest of it first") : undefined, moves);
  return (
    <div className="hp-scope-words">
      <p ref={words} id={id} className="hp-scope-text" data-opened={isOpened || undefined}>
        <SaidText text={text} said={said} />
      </p>
      {isCut && (
        <button type="button" className="hp-more" onClick={moves.show}>
          {say("Show all")}
        </button>
      )}
    </div>
  );
}

/** Whether some lines of an element are not drawn. */
function useIsCut(
  element: RefObject<HTMLElement | null>,
  isOpened: boolean,
  text: string,
): boolean {
  const [isCut, setIsCut] = useState(false);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null || !isLaidOut()) return undefined;
    const look = (): void => setIsCut(current.scrollHeight > current.clientHeight + 1);
    look();
    const sizes = new ResizeObserver(look);
    sizes.observe(current);
    return () => sizes.disconnect();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- each of them changes the lines
  }, [element, isOpened, text]);
  return isCut;
}

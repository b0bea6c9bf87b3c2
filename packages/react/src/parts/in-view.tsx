import { use, useLayoutEffect, useMemo, useRef, useState, type RefObject } from "react";

import { useWords, type Words } from "../words/use-words.ts";
import { CoverContext } from "./cover-context.ts";
import { useUiClock } from "./ui-clock.tsx";
import { UnshownContext, useUnshown } from "./unshown.tsx";
import { isLaidOut } from "./visible-part.ts";
import { watchView, type ViewState, type ViewWatch } from "./watch-view.ts";

const WORDS: Readonly<Record<ViewState, Words | undefined>> = {
  unseen: "Show the rest first",
  stuck: "Cannot scroll to the rest here. Continue without it",
  seen: undefined,
};

/**
 * Requires each line of the element to have been in view before it can be allowed. For text that only grows at its end.
 * Does nothing without an `UnshownContext`, or without a layout.
 */
export function useInView(element: RefObject<HTMLElement | null>): void {
  const say = useWords();
  const isAsked = use(UnshownContext) !== undefined;
  const cover = use(CoverContext);
  const clock = useUiClock();
  const [state, setState] = useState<ViewState>("unseen");
  const watch = useRef<ViewWatch>(undefined);
  useLayoutEffect(() => {
    if (!isAsked || element.current === null || !isLaidOut()) return undefined;
    const running = watchView(element.current, { cover, clock, onState: setState });
    watch.current = running;
    return () => running.stop();
  }, [isAsked, element, cover, clock]);
  const moves = useMemo(
    () => ({
      show: () => watch.current?.show(),
      ...(state === "stuck" && { goOn: () => watch.current?.goOn() }),
    }),
    [state],
  );
  const words = isLaidOut() ? WORDS[state] : undefined;
  useUnshown(words && say(words), moves);
}

import { useState, type ReactNode } from "react";

import { useWords } from "../words/use-words.ts";
import { useUnshown } from "./unshown.tsx";

interface Paged<TItem> {
  readonly shown: readonly TItem[];
  /** The button for the next items; absent once all are shown. */
  readonly more: ReactNode;
}

/** The first `size` items of a list, which an agent may have made arbitrarily long, and a button for the next ones. */
export function usePaged<TItem>(items: readonly TItem[], size: number): Paged<TItem> {
  const say = useWords();
  const [count, setCount] = useState(size);
  const left = items.length - count;
  useUnshown(left > 0 ? say("Show all first") : undefined);
  if (left <= 0) return { shown: items, more: null };
  const more = (
    <button type="button" className="hp-more" onClick={() => setCount(count + size)}>
      {say("Show {some} more of {all}", { some: Math.min(left, size), all: left })}
    </button>
  );
  return { shown: items.slice(0, count), more };
}

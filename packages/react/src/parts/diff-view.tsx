import type { ReactNode } from "react";

import { useWords } from "../words/use-words.ts";
import type { DiffProps } from "./diff-content.tsx";
import { createLazyPart } from "./lazy-part.tsx";
import { useUnshown } from "./unshown.tsx";

const DIFF = createLazyPart<DiffProps>(
  Instead,
  async () => (await import("./diff-content.tsx")).DiffContent,
);

/** Loads the comparison ahead of its first use. Rejects when it cannot be loaded. */
export const preloadDiff: () => Promise<void> = DIFF.preload;

/**
 * A unified diff with line numbers. Shows all changes; unchanged lines can be opened, and a long change has a button to
 * show more.
 */
export const DiffView: (props: DiffProps) => ReactNode = DIFF.Part as (
  props: DiffProps,
) => ReactNode;

function Instead({ failed }: { readonly failed: boolean }): ReactNode {
  const say = useWords();
  useUnshown(say("View the change first"));
  return (
    <p className="hp-diff-empty">
      {failed
        ? say(
            "The change could not be loaded. Loading is retried when the gateway is back. If that does not help, reload the page.",
          )
        : say("Loading the change…")}
    </p>
  );
}

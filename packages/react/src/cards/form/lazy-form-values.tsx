import type { ComponentType, ReactNode } from "react";

import { createLazyPart } from "../../parts/lazy-part.tsx";
import { useWords } from "../../words/use-words.ts";
import type { FormSummaryProps } from "./form-values.tsx";

type LazyFormSummaryProps = FormSummaryProps & { readonly children?: ReactNode };

function NotLoaded(): ReactNode {
  const say = useWords();
  return (
    <span className="hp-hint">
      {say(
        "{part} could not be loaded. Loading is retried when the gateway is back. If that does not help, reload the page.",
        { part: say("The answer") },
      )}
    </span>
  );
}

/** `FormSummaryLine`, loaded on first use. Shows its `children` until it is loaded. */
export const LazyFormSummary: ComponentType<LazyFormSummaryProps> =
  createLazyPart<LazyFormSummaryProps>(
    ({ failed, children }) => (failed ? <NotLoaded /> : children),
    async () => (await import("./form-values.tsx")).FormSummaryLine,
  ).Part;

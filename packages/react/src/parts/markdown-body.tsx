import { useDeferredValue, useMemo, type ReactNode } from "react";

import { toMarkdownCost } from "./markdown-cost.ts";
import { MarkdownRenderer } from "./markdown-renderer.tsx";
import { MarkdownSource } from "./markdown-source.tsx";

/** Draws Markdown, or its source where drawing it would take too long. */
export function MarkdownBody({ text }: { readonly text: string }): ReactNode {
  const { plainBecause, isHeavy } = useMemo(() => toMarkdownCost(text), [text]);
  const isDue = useDeferredValue(true, !isHeavy);
  if (plainBecause !== undefined) {
    return (
      <>
        <p className="hp-hint">Shown as plain text: {plainBecause}.</p>
        <MarkdownSource text={text} />
      </>
    );
  }
  return isDue ? <MarkdownRenderer text={text} /> : <MarkdownSource text={text} />;
}

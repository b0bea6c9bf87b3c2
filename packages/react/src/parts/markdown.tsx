import type { ReactNode } from "react";

import { createLazyPart } from "./lazy-part.tsx";
import { MarkdownSource } from "./markdown-source.tsx";

/** The source says the same, so a failure is not worth words. */
const RENDERED = createLazyPart<{ readonly text: string }>(
  MarkdownSource,
  async () => (await import("./markdown-renderer.tsx")).MarkdownRenderer,
);

/** Loads the renderer ahead of its first use, so that no text changes its height when it arrives. */
export function preloadMarkdown(): void {
  RENDERED.preload().catch(() => undefined); // Its first use says so.
}

/**
 * Markdown from outside. Raw HTML is shown as text, images are never loaded, links say where they lead. What would take
 * too long to lay out is shown as it was written. The renderer is loaded on first use; until then the source is shown.
 */
export function Markdown({ text }: { readonly text: string }): ReactNode {
  return (
    <div className="hp-markdown">
      <RENDERED.Part text={text} />
    </div>
  );
}

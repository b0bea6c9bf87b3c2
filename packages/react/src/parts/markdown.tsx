import { lazy, Suspense } from "react";

import { VisibleText } from "./visible-text.tsx";

const MarkdownRenderer = lazy(async () => {
  const { MarkdownRenderer } = await import("./markdown-renderer.tsx");
  return { default: MarkdownRenderer };
});

/**
 * Markdown from outside. Raw HTML is shown as text, images are never loaded, links say where they lead. The
 * renderer is loaded on first use; until then the source is shown.
 */
export function Markdown({ text }: { text: string }) {
  return (
    <div className="hp-markdown">
      <Suspense
        fallback={
          <p className="hp-markdown-source">
            <VisibleText text={text} />
          </p>
        }
      >
        <MarkdownRenderer text={text} />
      </Suspense>
    </div>
  );
}

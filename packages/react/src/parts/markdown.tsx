import { lazy, Suspense } from "react";

import { VisibleText } from "./visible-text.tsx";

const loadRenderer = () => import("./markdown-renderer.tsx");

/** Loads the renderer ahead of its first use, so that nothing changes its height when it arrives. */
export function preloadMarkdown(): void {
  loadRenderer().catch(() => undefined); // Its first use says so.
}

const MarkdownRenderer = lazy(async () => {
  try {
    const { MarkdownRenderer } = await loadRenderer();
    return { default: MarkdownRenderer };
  } catch {
    // Offline, or a newer version of the page has replaced its files: the source says the same.
    return { default: MarkdownSource };
  }
});

/**
 * Markdown from outside. Raw HTML is shown as text, images are never loaded, links say where they lead. The
 * renderer is loaded on first use; until then the source is shown.
 */
export function Markdown({ text }: { text: string }) {
  return (
    <div className="hp-markdown">
      <Suspense fallback={<MarkdownSource text={text} />}>
        <MarkdownRenderer text={text} />
      </Suspense>
    </div>
  );
}

function MarkdownSource({ text }: { text: string }) {
  return (
    <p className="hp-markdown-source">
      <VisibleText text={text} />
    </p>
  );
}

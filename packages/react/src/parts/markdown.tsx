import { lazy, Suspense, type ReactNode } from "react";

import { MarkdownSource } from "./markdown-source.tsx";

type Renderer = (props: { text: string }) => ReactNode;

let loaded: Renderer | undefined;

async function loadRenderer(): Promise<Renderer> {
  const { MarkdownRenderer } = await import("./markdown-renderer.tsx");
  return (loaded = MarkdownRenderer);
}

/** Loads the renderer ahead of its first use, so that no text changes its height when it arrives. */
export function preloadMarkdown(): void {
  loadRenderer().catch(() => undefined); // Its first use says so.
}

const LazyRenderer = lazy(async (): Promise<{ default: Renderer }> => {
  try {
    return { default: await loadRenderer() };
  } catch {
    // Offline, or a newer version of the page has replaced its files: the source says the same.
    return { default: MarkdownSource };
  }
});

/**
 * Markdown from outside. Raw HTML is shown as text, images are never loaded, links say where they lead. What would take
 * too long to lay out is shown as it was written. The renderer is loaded on first use; until then the source is shown.
 */
export function Markdown({ text }: { readonly text: string }): ReactNode {
  // Even a loaded lazy component shows its fallback for a moment; one that is there does not.
  const Renderer = loaded ?? LazyRenderer;
  return (
    <div className="hp-markdown">
      <Suspense fallback={<MarkdownSource text={text} />}>
        <Renderer text={text} />
      </Suspense>
    </div>
  );
}

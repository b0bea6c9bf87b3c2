import { lazy, Suspense, useDeferredValue, useMemo, type ReactNode } from "react";

import { toMarkdownCost } from "./markdown-cost.ts";
import { VisibleText } from "./visible-text.tsx";

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
 * Markdown from outside. Raw HTML is shown as text, images are never loaded, links say where they lead. The
 * renderer is loaded on first use; until then the source is shown.
 */
export function Markdown({ text }: { readonly text: string }): ReactNode {
  const { plainBecause, isHeavy } = useMemo(() => toMarkdownCost(text), [text]);
  if (plainBecause !== undefined) return <PlainMarkdown text={text} because={plainBecause} />;
  return <RenderedMarkdown text={text} isHeavy={isHeavy} />;
}

/** A text that would take too long to lay out. */
function PlainMarkdown({
  text,
  because,
}: {
  readonly text: string;
  readonly because: string;
}): ReactNode {
  return (
    <div className="hp-markdown">
      <p className="hp-hint">Shown as plain text: {because}.</p>
      <MarkdownSource text={text} />
    </div>
  );
}

function RenderedMarkdown({
  text,
  isHeavy,
}: {
  readonly text: string;
  readonly isHeavy: boolean;
}): ReactNode {
  const isDue = useDeferredValue(true, !isHeavy);
  // Even a loaded lazy component shows its fallback for a moment; one that is there does not.
  const Renderer = loaded ?? LazyRenderer;
  return (
    <div className="hp-markdown">
      <Suspense fallback={<MarkdownSource text={text} />}>
        {isDue ? <Renderer text={text} /> : <MarkdownSource text={text} />}
      </Suspense>
    </div>
  );
}

function MarkdownSource({ text }: { readonly text: string }): ReactNode {
  return (
    <p className="hp-markdown-source">
      <VisibleText text={text} />
    </p>
  );
}

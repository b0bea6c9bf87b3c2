import { useEffect, useState, type ReactNode } from "react";

import { createLazyPart } from "./lazy-part.tsx";
import { MarkdownSource } from "./markdown-source.tsx";
import { useUiClock } from "./ui-clock.tsx";

/** The source says the same, so a failure is not worth words. */
const RENDERED = createLazyPart<{ readonly text: string }>(
  MarkdownSource,
  async () => (await import("./markdown-renderer.tsx")).MarkdownRenderer,
);

/** Loads the renderer ahead of its first use. Rejects when it cannot be loaded. */
export const preloadMarkdown: () => Promise<void> = RENDERED.preload;

/** Longer nothing waits for the renderer: the source is better than nothing. */
const PATIENCE_MS = 3000;

/**
 * Whether texts have the height that they keep: the renderer is loaded, which this begins, or will not be there soon. A
 * card below a text that is drawn before moves.
 */
export function useMarkdownReady(): boolean {
  const clock = useUiClock();
  const [isReady, setReady] = useState(RENDERED.isLoaded);
  useEffect(() => {
    const done = (): void => setReady(true);
    RENDERED.preload().then(done, done); // Without it the source is shown.
    return clock.schedule(PATIENCE_MS, done);
  }, [clock]);
  return isReady;
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

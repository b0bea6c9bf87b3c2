import { useEffect, useState, type ReactNode } from "react";

import { createLazyPart } from "./lazy-part.tsx";
import { MarkdownSource } from "./markdown-source.tsx";
import { useUiClock } from "./ui-clock.tsx";

/** If loading fails, no message is needed: the source has the same content. */
const RENDERED = createLazyPart<{ readonly text: string }>(
  MarkdownSource,
  async () => (await import("./markdown-renderer.tsx")).MarkdownRenderer,
);

/** Loads the renderer ahead of its first use. Rejects when it cannot be loaded. */
export const preloadMarkdown: () => Promise<void> = RENDERED.preload;

/** The longest wait for the renderer. After that, the source is better than nothing. */
const PATIENCE_MS = 3000;

/**
 * Starts loading the renderer, and returns whether texts have their final height: it is loaded, or will not be soon. A
 * card below a text that is drawn earlier would move.
 */
export function useMarkdownReady(): boolean {
  const clock = useUiClock();
  const [isReady, setReady] = useState(RENDERED.isLoaded);
  useEffect(() => {
    const done = (): void => setReady(true);
    RENDERED.preload().then(done, done); // On failure, the source is shown.
    return clock.schedule(PATIENCE_MS, done);
  }, [clock]);
  return isReady;
}

/**
 * Untrusted markdown. Raw HTML is shown as text, images are never loaded, links show their host. A text that would take
 * too long to lay out is shown as source. The renderer is loaded on first use; until then, the source is shown.
 */
export function Markdown({ text }: { readonly text: string }): ReactNode {
  return (
    <div className="hp-markdown">
      <RENDERED.Part text={text} />
    </div>
  );
}

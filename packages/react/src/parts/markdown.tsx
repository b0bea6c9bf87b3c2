import { useEffect, useState, type ReactNode } from "react";

import { MarkdownSource } from "./markdown-source.tsx";
import { createSeam } from "./seam.tsx";
import { useUiClock } from "./ui-clock.tsx";

/** Separate from cards and conversations: it is as large as all of their code, and they can be used without it. */
const MARKDOWN = createSeam(() => import("./markdown-renderer.tsx"));

/** Loads the renderer ahead of its first use. */
export async function preloadMarkdown(): Promise<void> {
  await MARKDOWN.load().catch(() => undefined); // The source is shown instead.
}

/** The longest wait for the renderer. After that, the source is better than nothing. */
const PATIENCE_MS = 3000;

/**
 * Starts loading the renderer, and returns whether texts have their final height: it is loaded, or will not be soon. A
 * card below a text that is drawn earlier would move.
 */
export function useMarkdownReady(): boolean {
  const clock = useUiClock();
  const isLoading = MARKDOWN.useModule() === "loading";
  const [isLate, setLate] = useState(false);
  useEffect(() => clock.schedule(PATIENCE_MS, () => setLate(true)), [clock]);
  return !isLoading || isLate;
}

/**
 * Untrusted markdown. Raw HTML is shown as text, images are never loaded, links show their host. A text that would take
 * too long to lay out is shown as source. Until the renderer is loaded, or if that fails, the source is shown, which
 * has the same content.
 */
export function Markdown({ text }: { readonly text: string }): ReactNode {
  const renderer = MARKDOWN.useModule();
  return (
    <div className="hp-markdown">
      {typeof renderer === "string" ? (
        <MarkdownSource text={text} />
      ) : (
        <renderer.MarkdownRenderer text={text} />
      )}
    </div>
  );
}

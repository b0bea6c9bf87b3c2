import { lazy, Suspense, type ReactNode } from "react";

import type { DiffProps } from "./diff-content.tsx";
import { useUnshown } from "./unshown.tsx";

type Renderer = (props: DiffProps) => ReactNode;

let loaded: Renderer | undefined;

async function loadRenderer(): Promise<Renderer> {
  const { DiffContent } = await import("./diff-content.tsx");
  return (loaded = DiffContent);
}

/** Loads the comparison ahead of its first use. Rejects when it cannot be loaded. */
export async function preloadDiff(): Promise<void> {
  await loadRenderer();
}

const LazyRenderer = lazy(async (): Promise<{ default: Renderer }> => {
  try {
    return { default: await loadRenderer() };
  } catch {
    // Offline, or a newer version of the page has replaced its files.
    return { default: () => <Instead words="The change could not be loaded. Reload the page." /> };
  }
});

/**
 * A unified diff with line numbers. All changes are shown; unchanged stretches open on demand, and of a long change a
 * press shows more.
 */
export function DiffView(props: DiffProps): ReactNode {
  const DiffRenderer = loaded ?? LazyRenderer;
  return (
    <Suspense fallback={<Instead words="Loading the change…" />}>
      <DiffRenderer {...props} />
    </Suspense>
  );
}

function Instead({ words }: { readonly words: string }): ReactNode {
  useUnshown("The change has to be seen first");
  return <p className="hp-diff-empty">{words}</p>;
}

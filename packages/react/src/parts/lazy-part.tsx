import { lazy, Suspense, useState, type ComponentType, type ReactNode } from "react";

import { useWords, type Words } from "../words/use-words.ts";

interface LazyPart<TProps> {
  readonly Part: ComponentType<TProps>;
  /** Loads the code ahead of its first use: the part is there at once. Rejects when it cannot be loaded. */
  readonly preload: () => Promise<void>;
}

/** Stands in the place of a part whose code is loaded, or could not be. */
export type Instead<TProps> = ComponentType<TProps & { readonly failed: boolean }>;

/**
 * A component whose code is loaded on first use. `instead` is drawn until then, and where it cannot be loaded. With a
 * name in its place nothing is drawn at first, and a failure is said in a sentence that begins with it.
 */
export function createLazyPart<TProps extends object>(
  instead: Words | Instead<TProps>,
  load: () => Promise<ComponentType<TProps>>,
): LazyPart<TProps> {
  const Placeholder = typeof instead === "string" ? toHint(instead) : instead;
  let loaded: ComponentType<TProps> | undefined;
  const loadPart = async (): Promise<ComponentType<TProps>> => (loaded = await load());
  const Loading = lazy(async () => {
    try {
      return { default: await loadPart() };
    } catch {
      // Offline, or a newer version of the page has replaced its files.
      return { default: (props: TProps) => <Placeholder {...props} failed /> };
    }
  }) as unknown as ComponentType<TProps>;
  function Part(props: TProps): ReactNode {
    // React shows the fallback even of a loaded lazy component, for 300 ms. What is mounted keeps the component that it
    // began with, and so the person's input and the focus.
    const [Body] = useState(() => loaded ?? Loading);
    return (
      <Suspense fallback={<Placeholder {...props} failed={false} />}>
        <Body {...props} />
      </Suspense>
    );
  }
  return { Part, preload: async () => void (await loadPart()) };
}

function toHint(part: Words): Instead<object> {
  return function Hint({ failed }) {
    const say = useWords();
    if (!failed) return null;
    return (
      <p className="hp-hint">
        {say("{part} could not be loaded. Reload the page.", { part: say(part) })}
      </p>
    );
  };
}

import { lazy, Suspense, useState, type ComponentType, type ReactNode } from "react";

interface LazyPart<TProps> {
  readonly Part: ComponentType<TProps>;
  /** Loads the code ahead of its first use: the part is there at once. Rejects when it cannot be loaded. */
  readonly preload: () => Promise<unknown>;
}

/**
 * A component whose code is loaded on first use. Nothing is drawn until then. Where it cannot be loaded, the person reads
 * so; `name` begins that sentence.
 */
export function createLazyPart<TProps extends object>(
  name: string,
  load: () => Promise<ComponentType<TProps>>,
): LazyPart<TProps> {
  let loaded: ComponentType<TProps> | undefined;
  const preload = async (): Promise<ComponentType<TProps>> => (loaded = await load());
  const Loading = lazy(async () => {
    try {
      return { default: await preload() };
    } catch {
      // Offline, or a newer version of the page has replaced its files.
      return {
        default: () => <p className="hp-hint">{name} could not be loaded. Reload the page.</p>,
      };
    }
  }) as unknown as ComponentType<TProps>;
  function Part(props: TProps): ReactNode {
    // Kept while it is mounted, and so the state within.
    const [Body] = useState(() => loaded ?? Loading);
    return (
      <Suspense>
        <Body {...props} />
      </Suspense>
    );
  }
  return { Part, preload };
}

import { createElement, useSyncExternalStore, type ComponentType, type ReactNode } from "react";

import { useWords, type Words } from "../words/use-words.ts";
import { loadWhenBack } from "./load-again.ts";

export interface LazyPart<TProps> {
  readonly Part: ComponentType<TProps>;
  /** Loads the code ahead of its first use: the part is there at once. Rejects when it cannot be loaded. */
  readonly preload: () => Promise<void>;
  readonly isLoaded: () => boolean;
}

/** Stands in the place of a part whose code is loaded, or could not be. */
export type Instead<TProps> = ComponentType<TProps & { readonly failed: boolean }>;

/**
 * A component whose code is loaded on first use, and where that fails again each time that the gateway is back. `instead`
 * is drawn until it is there. With a name in its place nothing is drawn at first, and a failure is said in a sentence that
 * begins with it.
 */
export function createLazyPart<TProps extends object>(
  instead: Words | Instead<TProps>,
  load: () => Promise<ComponentType<TProps>>,
): LazyPart<TProps> {
  const Placeholder = typeof instead === "string" ? toHint(instead) : instead;
  const changes = new EventTarget();
  let state: ComponentType<TProps> | "loading" | "failed" = "loading";
  let loading: Promise<void> | undefined;
  const set = (next: typeof state): void => {
    state = next;
    changes.dispatchEvent(new Event("change"));
  };
  const loadPart = async (): Promise<void> => {
    try {
      set(await load());
    } catch (error: unknown) {
      // Offline, or a newer version of the page has replaced its files.
      loading = undefined;
      loadWhenBack(begin);
      set("failed");
      throw error;
    }
  };
  const preload = (): Promise<void> => (loading ??= loadPart());
  const begin = (): void => void preload().catch(() => undefined); // The placeholder says so.
  const subscribe = (listener: () => void): (() => void) => {
    begin();
    changes.addEventListener("change", listener);
    return () => changes.removeEventListener("change", listener);
  };
  function Part(props: TProps): ReactNode {
    const body = useSyncExternalStore(subscribe, () => state, beforeLoading);
    if (typeof body === "string") return <Placeholder {...props} failed={body === "failed"} />;
    return createElement(body, props);
  }
  return { Part, preload, isLoaded: () => typeof state !== "string" };
}

/** On a server, and in a page that takes over what a server has drawn: whether the one has the code, the other cannot know. */
const beforeLoading = (): "loading" => "loading";

function toHint(part: Words): Instead<object> {
  return function Hint({ failed }) {
    const say = useWords();
    if (!failed) return null;
    return (
      <p className="hp-hint">
        {say(
          "{part} could not be loaded. It is tried again when the gateway is back. If that does not help, reload the page.",
          { part: say(part) },
        )}
      </p>
    );
  };
}

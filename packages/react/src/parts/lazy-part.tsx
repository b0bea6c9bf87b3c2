import { createElement, useSyncExternalStore, type ComponentType, type ReactNode } from "react";

import { useWords, type Words } from "../words/use-words.ts";
import { loadWhenBack } from "./load-again.ts";

export interface LazyPart<TProps> {
  readonly Part: ComponentType<TProps>;
  /** Loads the code ahead of its first use. Rejects when it cannot be loaded. */
  readonly preload: () => Promise<void>;
  readonly isLoaded: () => boolean;
}

/** The placeholder of a part while its code is loaded, or after that failed. */
export type Instead<TProps> = ComponentType<TProps & { readonly failed: boolean }>;

/**
 * A component whose code is loaded on first use, and after a failure again whenever the gateway is back. `instead` is
 * drawn until it is loaded. If `instead` is a name, nothing is drawn at first, and a failure is shown as a sentence
 * that begins with the name.
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
  const begin = (): void => void preload().catch(() => undefined); // The placeholder shows the failure.
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

/** The state on a server and while hydrating: both must render the same, whether or not the code is loaded. */
const beforeLoading = (): "loading" => "loading";

function toHint(part: Words): Instead<object> {
  return function Hint({ failed }) {
    const say = useWords();
    if (!failed) return null;
    return (
      <p className="hp-hint">
        {say(
          "{part} could not be loaded. Loading is retried when the gateway is back. If that does not help, reload the page.",
          { part: say(part) },
        )}
      </p>
    );
  };
}

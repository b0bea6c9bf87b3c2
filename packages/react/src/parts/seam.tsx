import {
  createElement,
  useSyncExternalStore,
  type ComponentType,
  type FunctionComponent,
  type ReactNode,
} from "react";

import { useWords } from "../words/use-words.ts";
import { loadWhenBack } from "./load-again.ts";

/** The placeholder of a component while its code is loaded, or after that failed. */
export type Instead = ComponentType<{ readonly failed: boolean }>;

type ComponentName<TModule> = {
  [TName in keyof TModule]: TModule[TName] extends (props: never) => ReactNode ? TName : never;
}[keyof TModule];

type PropsOf<TComponent> = TComponent extends (props: infer TProps) => ReactNode ? TProps : never;

/** The props of a component, and its name in the module. */
export type SeamPartProps<TModule, TName extends keyof TModule> = PropsOf<TModule[TName]> & {
  readonly of: TName;
  /** Default: nothing is drawn until the component is loaded. */
  readonly instead?: Instead;
};

/** A module that is loaded after the first paint, with everything that it imports. */
export interface Seam<TModule> {
  /** Loads the module ahead of its first use. Rejects when it cannot be loaded. */
  readonly load: () => Promise<TModule>;
  /** The module, which is loaded on first use, and after a failure again whenever the gateway is back. */
  readonly useModule: () => TModule | "loading" | "failed";
  /** A component of the module. */
  readonly Part: <TName extends ComponentName<TModule>>(
    props: SeamPartProps<TModule, TName>,
  ) => ReactNode;
  /** Explains that the module could not be loaded. Draws nothing otherwise. */
  readonly Trouble: FunctionComponent;
}

/**
 * Splits off a module. React's `lazy` would delay its components until 300 ms after their fallback
 * (`FALLBACK_THROTTLE_MS` of react-reconciler).
 */
export function createSeam<TModule extends object>(load: () => Promise<TModule>): Seam<TModule> {
  const changes = new EventTarget();
  let state: TModule | "loading" | "failed" = "loading";
  let loading: Promise<TModule> | undefined;
  const set = (next: typeof state): void => {
    state = next;
    changes.dispatchEvent(new Event("change"));
  };
  const loadModule = async (): Promise<TModule> => {
    try {
      const module = await load();
      set(module);
      return module;
    } catch (error: unknown) {
      // Offline, or a newer version of the page has replaced its files.
      loading = undefined;
      loadWhenBack(begin);
      set("failed");
      throw error;
    }
  };
  const loadOnce = (): Promise<TModule> => (loading ??= loadModule());
  const begin = (): void => void loadOnce().catch(() => undefined); // `Trouble` shows the failure.
  const subscribe = (listener: () => void): (() => void) => {
    begin();
    changes.addEventListener("change", listener);
    return () => changes.removeEventListener("change", listener);
  };
  const useModule = (): typeof state => useSyncExternalStore(subscribe, () => state, beforeLoading);
  function Part<TName extends ComponentName<TModule>>(
    props: SeamPartProps<TModule, TName>,
  ): ReactNode {
    const { of, instead: Placeholder = Nothing, ...rest } = props;
    const module = useModule();
    if (typeof module === "string") return <Placeholder failed={module === "failed"} />;
    return createElement(module[of] as FunctionComponent, rest);
  }
  function Trouble(): ReactNode {
    return <NotLoaded failed={useModule() === "failed"} />;
  }
  return { load: loadOnce, useModule, Part, Trouble };
}

/** The state on a server and while hydrating: both must render the same, whether or not the code is loaded. */
const beforeLoading = (): "loading" => "loading";

function Nothing(): null {
  return null;
}

/** The placeholder that explains a failure. */
export function NotLoaded({ failed }: { readonly failed: boolean }): ReactNode {
  const say = useWords();
  if (!failed) return null;
  return (
    <p className="hp-hint">
      {say(
        "A part of the page could not be loaded. Loading is retried when the gateway is back. If that does not help, reload the page.",
      )}
    </p>
  );
}

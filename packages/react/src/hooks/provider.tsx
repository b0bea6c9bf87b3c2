import {
  createBrowserClock,
  createBrowserRandomness,
  createOverviewStore,
  type Clock,
  type DraftStorage,
  type OverviewStore,
  type Randomness,
  type Transport,
} from "@holdpoint/client";
import { createContext, use, useEffect, useMemo, type ReactNode } from "react";

import { AnnouncerProvider } from "../parts/announcer.tsx";
import { systemUiClock, UiClockProvider, type UiClock } from "../parts/ui-clock.tsx";
import { createSessionStores, type SessionStores } from "./session-stores.ts";

export interface HoldpointProviderProps {
  /** Owned by the caller: it is not disposed here. */
  readonly transport: Transport;
  readonly drafts: DraftStorage;
  readonly clock?: Clock;
  readonly randomness?: Randomness;
  /** The clock that components show. */
  readonly uiClock?: UiClock;
  readonly children: ReactNode;
}

/** The objects shared by the hooks and components below a provider. */
export interface HoldpointContext {
  readonly transport: Transport;
  readonly drafts: DraftStorage;
  /** Has an event, named by the key, for each draft that was changed outside of its field. */
  readonly draftChanges: EventTarget;
  readonly randomness: Randomness;
  readonly clock: Clock;
  readonly overviewStore: OverviewStore;
  readonly sessionStores: SessionStores;
}

const Context = createContext<HoldpointContext | undefined>(undefined);

/**
 * Connects everything below it to one gateway. All components share one stream over all sessions, and one for each
 * session in use. The streams end when the provider is unmounted or gets another transport.
 */
export function HoldpointProvider(props: HoldpointProviderProps): ReactNode {
  const { transport, drafts, clock, randomness, uiClock = systemUiClock, children } = props;
  const context = useMemo<HoldpointContext>(() => {
    const time = clock ?? createBrowserClock();
    const random = randomness ?? createBrowserRandomness();
    const options = { transport, clock: time, randomness: random };
    return {
      transport,
      drafts,
      draftChanges: new EventTarget(),
      clock: time,
      randomness: random,
      overviewStore: createOverviewStore(options),
      sessionStores: createSessionStores(options),
    };
  }, [transport, drafts, clock, randomness]);
  useStoresLifetime(context);
  useReconnection(context);
  return (
    <Context value={context}>
      <UiClockProvider clock={uiClock}>
        <AnnouncerProvider>{children}</AnnouncerProvider>
      </UiClockProvider>
    </Context>
  );
}

/** The nearest provider's context. Throws if there is none. */
export function useHoldpoint(): HoldpointContext {
  const context = use(Context);
  if (context === undefined) throw new Error("A HoldpointProvider is needed above this component.");
  return context;
}

/** Disposes the stores with the provider. A remount in the same task, as in strict mode, keeps them. */
function useStoresLifetime(context: HoldpointContext): void {
  useEffect(() => {
    const users = (usersOf.get(context) ?? 0) + 1;
    usersOf.set(context, users);
    return () => {
      usersOf.set(context, (usersOf.get(context) ?? 1) - 1);
      queueMicrotask(() => {
        if (usersOf.get(context) !== 0) return;
        void context.overviewStore[Symbol.asyncDispose]();
        void context.sessionStores[Symbol.asyncDispose]();
      });
    };
  }, [context]);
}

const usersOf = new WeakMap<HoldpointContext, number>();

/** Reconnects at once when the network or the page comes back, without waiting for the stores' own retries. */
function useReconnection({ overviewStore, sessionStores }: HoldpointContext): void {
  useEffect(() => {
    const refresh = (): void => {
      if (document.visibilityState === "hidden") return;
      if (overviewStore.getSnapshot().connection !== "live") overviewStore.refresh();
      sessionStores.refreshBroken();
    };
    const woken = (event: PageTransitionEvent): void => {
      // After a restore from the back/forward cache, connections look alive but are not.
      if (!event.persisted) return;
      overviewStore.refresh();
      sessionStores.refreshAll();
    };
    window.addEventListener("online", refresh);
    window.addEventListener("focus", refresh);
    window.addEventListener("pageshow", woken);
    document.addEventListener("visibilitychange", refresh);
    return () => {
      window.removeEventListener("online", refresh);
      window.removeEventListener("focus", refresh);
      window.removeEventListener("pageshow", woken);
      document.removeEventListener("visibilitychange", refresh);
    };
  }, [overviewStore, sessionStores]);
}

import { useMemo, useSyncExternalStore } from "react";

import { fromPlaced, toPlaced } from "./page-place.ts";
import { parseRoute, toPath, type Route } from "./route.ts";

const ROUTE_CHANGED = "holdpoint:route";

/** The route of the address bar, now. */
export function readRoute(): Route {
  return parseRoute(readPath());
}

/** The route of the address bar; follows Back and Forward. */
export function useRoute(): Route {
  const pathname = useSyncExternalStore(followAddress, readPath);
  return useMemo(() => parseRoute(pathname), [pathname]);
}

interface GoOptions {
  /** Leaves no entry to go back to. */
  readonly replace?: boolean;
}

export function navigate(route: Route, options?: GoOptions): void {
  goTo(toPath(route), options);
}

/** Goes to a path, with what stands behind its `?`. */
export function goTo(path: string, options?: GoOptions): void {
  const placed = toPlaced(path);
  if (placed === location.pathname + location.search) return;
  history[options?.replace ? "replaceState" : "pushState"](null, "", placed);
  dispatchEvent(new Event(ROUTE_CHANGED));
}

/** Tells of each change of the address, until the result is called. */
export function followAddress(listener: () => void): () => void {
  const left = new AbortController();
  const { signal } = left;
  for (const name of ["popstate", ROUTE_CHANGED]) addEventListener(name, listener, { signal });
  return () => left.abort();
}

function readPath(): string {
  return fromPlaced(location.pathname);
}

import { useMemo, useSyncExternalStore } from "react";

import { fromPlaced, withBasePath } from "./base-path.ts";
import { parseRoute, toPath, type Route } from "./route.ts";

const ROUTE_CHANGED = "holdpoint:route";

/** The current route of the address bar. */
export function readRoute(): Route {
  return parseRoute(readPath());
}

/** The route of the address bar, also after Back and Forward. */
export function useRoute(): Route {
  const pathname = useSyncExternalStore(followAddress, readPath);
  return useMemo(() => parseRoute(pathname), [pathname]);
}

interface GoOptions {
  /** Adds no entry to the browser's history. */
  readonly replace?: boolean;
}

export function navigate(route: Route, options?: GoOptions): void {
  goTo(toPath(route), options);
}

/** Goes to a path, which may include a query string. */
export function goTo(path: string, options?: GoOptions): void {
  const placed = withBasePath(path);
  if (placed === location.pathname + location.search) return;
  history[options?.replace ? "replaceState" : "pushState"](null, "", placed);
  dispatchEvent(new Event(ROUTE_CHANGED));
}

/** Calls the listener on each change of the address. Returns the function to stop. */
export function followAddress(listener: () => void): () => void {
  const left = new AbortController();
  const { signal } = left;
  for (const name of ["popstate", ROUTE_CHANGED]) addEventListener(name, listener, { signal });
  return () => left.abort();
}

function readPath(): string {
  return fromPlaced(location.pathname);
}

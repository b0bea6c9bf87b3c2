import { useMemo, useSyncExternalStore } from "react";

import { parseRoute, toPath, type Route } from "./route.ts";

const ROUTE_CHANGED = "holdpoint:route";

/** The route of the address bar; follows Back and Forward. */
export function useRoute(): Route {
  const pathname = useSyncExternalStore(followAddress, () => location.pathname);
  return useMemo(() => parseRoute(pathname), [pathname]);
}

/** Goes to a route. `replace` leaves no entry to go back to. */
export function navigate(route: Route, options: { readonly replace?: boolean } = {}): void {
  goTo(toPath(route), options);
}

/** Goes to a path, with what stands behind its `?`. */
export function goTo(path: string, options: { readonly replace?: boolean } = {}): void {
  if (path === location.pathname + location.search) return;
  if (options.replace === true) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  window.dispatchEvent(new Event(ROUTE_CHANGED));
}

/** Tells of each change of the address, until the result is called. */
export function followAddress(listener: () => void): () => void {
  window.addEventListener("popstate", listener);
  window.addEventListener(ROUTE_CHANGED, listener);
  return () => {
    window.removeEventListener("popstate", listener);
    window.removeEventListener(ROUTE_CHANGED, listener);
  };
}

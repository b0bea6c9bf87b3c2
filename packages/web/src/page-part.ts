import { createLazyPart, type Instead, loadWhenBack } from "@holdpoint/react";
import type { ComponentType } from "react";

// A part is loaded together with its styles, but these are asked for once only.
window.addEventListener(
  "error",
  ({ target }) => {
    if (target instanceof HTMLLinkElement) {
      loadWhenBack(() => target.replaceWith(target.cloneNode()));
    }
  },
  { capture: true },
);

/**
 * A part of the page whose code is loaded on first use; `instead` stands in its place until then. React's own `lazy` would
 * hold the part back until 300 ms after its fallback (`FALLBACK_THROTTLE_MS` of react-reconciler).
 */
export function createPagePart<TProps extends object>(
  load: () => Promise<ComponentType<TProps>>,
  instead?: Instead<TProps>,
): ComponentType<TProps> {
  return createLazyPart(instead ?? "A part of the page", load).Part;
}

/** In place of what need not be missed. */
export function Nothing(): null {
  return null;
}

/** In place of what the page is nothing without: where it cannot be loaded, the crash screen says so. */
export function NothingYet({ failed }: { readonly failed: boolean }): null {
  if (failed) throw new Error("The page did not load.");
  return null;
}

import { createLazyPart, type Instead, loadWhenBack } from "@holdpoint/react";
import type { ComponentType } from "react";

// Styles are loaded with their part, but only requested once: a failed request is repeated when the gateway is back.
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
 * A part of the page whose code is loaded on first use. `instead` is shown while it loads. React's `lazy` would delay
 * the part until 300 ms after its fallback (`FALLBACK_THROTTLE_MS` of react-reconciler).
 */
export function createPagePart<TProps extends object>(
  load: () => Promise<ComponentType<TProps>>,
  instead?: Instead<TProps>,
): ComponentType<TProps> {
  return createLazyPart(instead ?? "A part of the page", load).Part;
}

/** The placeholder for a part that is not essential. */
export function Nothing(): null {
  return null;
}

/** The placeholder for an essential part. If it cannot be loaded, the crash screen is shown. */
export function NothingYet({ failed }: { readonly failed: boolean }): null {
  if (failed) throw new Error("The page did not load.");
  return null;
}

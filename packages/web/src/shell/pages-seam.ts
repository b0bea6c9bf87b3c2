import { createSeam, loadWhenBack, type Seam } from "@holdpoint/react";

import type * as Pages from "./pages.ts";

// Styles are loaded with their code, but only requested once: a failed request is repeated when the gateway is back.
window.addEventListener(
  "error",
  ({ target }) => {
    if (target instanceof HTMLLinkElement) {
      loadWhenBack(() => target.replaceWith(target.cloneNode()));
    }
  },
  { capture: true },
);

/** The inbox, the pages without a conversation, and the dialogs. */
export const PAGES: Seam<typeof Pages> = createSeam(() => import("./pages.ts"));

import { preloadClient } from "@holdpoint/client";
import { preloadConversation } from "@holdpoint/react";

import { registerServiceWorker } from "../device/service-worker.ts";
import { LAUNCH } from "../launch/launch-seam.ts";

/**
 * Loads all code that the page may need later. So an open page never loads code from a program that has taken over the
 * gateway's address, and it works while the gateway is away. Rejects if something could not be loaded.
 */
export async function loadRest(): Promise<void> {
  const loaded = await Promise.allSettled([
    preloadClient(),
    preloadConversation(),
    LAUNCH.load(),
    import("../code/highlight-code.ts").then(({ codeHighlighter }) => codeHighlighter.start()),
    import("../words/german.ts"),
  ]);
  for (const result of loaded) if (result.status === "rejected") throw result.reason;
  // Over http, the browser would look for updates at any program that has the address later. There it is registered
  // only if a person turns notifications on.
  if (location.protocol === "https:") await registerServiceWorker();
}

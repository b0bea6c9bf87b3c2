import { preloadClient } from "@holdpoint/client";
import { preloadConversation } from "@holdpoint/react";

/** Long enough for what is on screen to be there first. */
const PATIENCE_MS = 2000;

let started = false;

/**
 * Loads all code that the page may need later, once, while the gateway is known to be there. So a page that is open loads
 * no code from a program that has taken the gateway's address meanwhile, and works while the gateway is away.
 */
export function loadRestOnce(): void {
  if (started) return;
  started = true;
  const idle = globalThis.requestIdleCallback ?? ((run: () => void) => run());
  idle(() => void loadRest(), { timeout: PATIENCE_MS });
}

async function loadRest(): Promise<void> {
  await Promise.allSettled([
    preloadClient(),
    preloadConversation(),
    import("./shell/shell.tsx"),
    import("./shell/home.tsx"),
    import("./shell/help-dialog.tsx"),
    import("./grants/grants-page.tsx"),
    import("./inbox/inbox-panel.tsx"),
    import("./launch/open-launch-link.tsx"),
    import("./launch/other-program.tsx"),
    import("./sessions/new-session-dialog.tsx"),
    import("./sessions/delete-session-dialog.tsx"),
    import("./sessions/rename-field.tsx"),
    import("./show-more.tsx"),
  ]);
}

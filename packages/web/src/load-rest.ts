import { preloadClient } from "@holdpoint/client";
import { preloadConversation } from "@holdpoint/react";

import { registerServiceWorker } from "./device/service-worker.ts";

/**
 * Loads all code that the page may need later. So an open page never loads code from a program that has taken over the
 * gateway's address, and it works while the gateway is away. Rejects if something could not be loaded.
 */
export async function loadRest(): Promise<void> {
  const loaded = await Promise.allSettled([
    preloadClient(),
    preloadConversation(),
    import("./shell/shell.tsx"),
    import("./shell/find-control.tsx"),
    import("./code/highlight-code.ts").then(({ codeHighlighter }) => codeHighlighter.start()),
    import("./device/badge.ts"),
    import("./shell/home.tsx"),
    import("./shell/device-footer.tsx"),
    import("./shell/help-dialog.tsx"),
    import("./grants/grants-page.tsx"),
    import("./grants/add-rule-dialog.tsx"),
    import("./history/history-page.tsx"),
    import("./palette/session-palette.tsx"),
    import("./devices/devices-page.tsx"),
    import("./devices/add-device-dialog.tsx"),
    import("./devices/add-token-dialog.tsx"),
    import("./inbox/inbox-panel.tsx"),
    import("./inbox/inbox-toasts.tsx"),
    import("./menu.tsx"),
    import("./trust/folder-page.tsx"),
    import("./shell/notices.tsx"),
    import("./launch/open-launch-link.tsx"),
    import("./launch/enter-code.tsx"),
    import("./launch/issuer-sign-in.ts"),
    import("./launch/renew-sign-in.tsx"),
    import("./sessions/new-session-dialog.tsx"),
    import("./sessions/mode-select.tsx"),
    import("./sessions/rename-field.tsx"),
    import("./sessions/unread.tsx"),
    import("./sessions/rail-stops.tsx"),
    import("./sessions/entry-actions.tsx"),
    import("./sessions/entry-dialog.tsx"),
    import("./sessions/archived-bar.tsx"),
    import("./sessions/archived-page.tsx"),
    import("./sessions/model-control.tsx"),
    import("./sessions/limited-mode-dialog.tsx"),
    import("./words/german.ts"),
    import("./show-more.tsx"),
  ]);
  for (const result of loaded) if (result.status === "rejected") throw result.reason;
  // Over http, the browser would look for updates at any program that has the address later. There it is registered
  // only if a person turns notifications on.
  if (location.protocol === "https:") await registerServiceWorker();
}

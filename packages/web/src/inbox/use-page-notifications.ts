import type { Overview } from "@holdpoint/client";
import { requestSaying, folderName, summarizeRequest } from "@holdpoint/protocol";
import { useUiClock } from "@holdpoint/react";
import { useEffect, useRef } from "react";

import { withBasePath } from "../base-path.ts";
import { createDeviceStorage } from "../device/device-storage.ts";
import { useWords } from "../words/use-words.ts";
import { isForPerson } from "./is-for-person.ts";

const MOST_AT_ONCE = 3;

/**
 * Shows notifications from this page, if the browser has no push service and the person wants them. While the page is
 * open and hidden, it notifies of each new interaction that the person can answer, and closes those of answered ones.
 */
export function usePageNotifications(
  { waiting, sessions, person }: Overview,
  isLoaded: boolean,
): void {
  const say = useWords();
  const clock = useUiClock();
  const known = useRef<ReadonlySet<string>>(undefined);
  useEffect(() => {
    if (!isLoaded) return;
    const pending = waiting.filter(
      (each) => each.status === "pending" && isForPerson(each, person, clock.now()),
    );
    const before = known.current;
    known.current = new Set(pending.map(({ interactionId }) => interactionId));
    if (before === undefined || !isWanted()) return;
    const gone = [...before].filter((id) => !known.current?.has(id));
    const come = pending.filter(({ interactionId }) => !before.has(interactionId));
    if (gone.length + come.length === 0) return;
    void withRegistration(async (registration) => {
      for (const tag of gone) {
        for (const shown of await registration.getNotifications({ tag })) shown.close();
      }
      if (document.visibilityState !== "hidden") return;
      for (const interaction of come.slice(0, MOST_AT_ONCE)) {
        const { interactionId, sessionId } = interaction;
        const session = sessions.find((each) => each.sessionId === sessionId);
        const title = say.told(summarizeRequest(interaction), [requestSaying(interaction)]);
        await registration.showNotification(title, {
          tag: interactionId,
          ...(session && { body: say("In {folder}", { folder: folderName(session.cwd) }) }),
          icon: withBasePath("/icon-192.png"),
          data: { path: `/i/${encodeURIComponent(interactionId)}` },
        });
      }
    });
  }, [say, clock, waiting, sessions, person, isLoaded]);
}

function isWanted(): boolean {
  return createDeviceStorage(() => localStorage, window).read("notify") === "page";
}

async function withRegistration(
  run: (registration: ServiceWorkerRegistration) => Promise<void>,
): Promise<void> {
  try {
    const registration = await navigator.serviceWorker.getRegistration();
    if (registration !== undefined) await run(registration);
  } catch {
    // The browser refuses notifications: the title and the icon of the page still show the count.
  }
}

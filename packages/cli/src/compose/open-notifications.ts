import { join } from "node:path";

import type { Clock, Ids } from "@holdpoint/engine";
import { createVapidKey, Notifications } from "@holdpoint/notify";
import type { Logger } from "pino";

import type { Settings } from "../config/settings.ts";
import { traceparentOf } from "../telemetry/placed-span.ts";
import { openSecretFile } from "./gateway-secret.ts";
import type { OpenedStore } from "./open-store.ts";

const KEY_FILE = "push.key";
/** Push services require a contact address of the sender. Mail to this one is not read. */
const NO_CONTACT = "mailto:gateway@holdpoint.example";

export interface OpenNotificationsOptions {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
}

/**
 * Opens the notifications. The gateway's key for push services is created at the first start; with another key, every
 * browser would have to subscribe again. Rejects with `UsageError` if the key's file is unusable.
 */
export async function openNotifications(
  { settings, clock, ids, log }: OpenNotificationsOptions,
  { store: rows, notifications: store, callbacks: callbackStore, pushKey }: OpenedStore,
): Promise<Notifications> {
  const { pushServices, webhooks, contact = NO_CONTACT } = settings.notify ?? {};
  const privateBytes = pushKey ?? (await openPushKey(settings.dataDir));
  return Notifications.open({
    store,
    clock,
    ids,
    key: createVapidKey({ privateBytes, contact }),
    ...(pushServices && { pushServices }),
    ...(webhooks && { webhooks }),
    callbackStore,
    ...(settings.callbackHosts && { callbackHosts: settings.callbackHosts }),
    ...(settings.otlp !== undefined && {
      traceparentOf: async (interactionId) => {
        const row = await rows.getInteraction(interactionId);
        return row && traceparentOf(interactionId, row.traceparent);
      },
    }),
    onError: (error) => log.error({ err: error, where: "notifications" }, "failed"),
  });
}

/** The 32 bytes of the push key in a data folder. Rejects with `UsageError` if its file is unusable. */
export function openPushKey(dataDir: string): Promise<Buffer> {
  return openSecretFile(join(dataDir, KEY_FILE), {
    make: () => createVapidKey({ contact: NO_CONTACT }).privateBytes,
    loss: "notifications have to be turned on again on every device",
  });
}

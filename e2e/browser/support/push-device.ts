import type { CDPSession } from "playwright-core";

import type { Device } from "../../support/browser.ts";
import type { GatewayProcess } from "../../support/gateway-process.ts";
import type { PushScene } from "../../support/push-scene.ts";
import { button } from "./conversation.ts";

export interface ShownNotification {
  readonly title: string;
  readonly tag: string;
  readonly body: string;
  readonly path: string;
}

/**
 * Gives the device a push service. Chromium has only Google's: `subscribe` returns a subscription of the tests' push
 * service, everything else is the browser's.
 */
export async function givePushService(
  { context }: Device,
  scene: PushScene,
  name: string,
): Promise<void> {
  await context.grantPermissions(["notifications"]);
  const subscription = scene.service.subscribe(name);
  await context.addInitScript((given) => {
    let current: object | null = null;
    const make = (key: ArrayBuffer): object => ({
      endpoint: given.endpoint,
      options: { applicationServerKey: key },
      toJSON: () => ({ endpoint: given.endpoint, keys: given.keys }),
      unsubscribe: async () => {
        current = null;
        return true;
      },
    });
    const manager = Reflect.get(globalThis, "PushManager") as { prototype: object } | undefined;
    if (manager === undefined) return;
    Object.assign(manager.prototype, {
      getSubscription: async () => current,
      subscribe: async (options: { applicationServerKey: Uint8Array<ArrayBuffer> }) =>
        (current = make(options.applicationServerKey.slice().buffer)),
    });
  }, subscription);
}

/** Takes the place of the browser between push service and page: passes decrypted messages to the service worker. */
export async function bringMessages(
  device: Device,
  scene: PushScene,
  { url }: GatewayProcess,
  name: string,
): Promise<() => Promise<void>> {
  const cdp: CDPSession = await device.context.newCDPSession(device.page);
  const registration = Promise.withResolvers<string>();
  cdp.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
    const own = registrations.find(({ isDeleted }) => !isDeleted);
    if (own) registration.resolve(own.registrationId);
  });
  await cdp.send("ServiceWorker.enable");
  let brought = 0;
  return async (): Promise<void> => {
    const registrationId = await registration.promise;
    const own = scene.service.received.filter(({ to }) => to === name);
    for (const { text } of own.slice(brought)) {
      brought += 1;
      const message = { origin: url, registrationId, data: text };
      await cdp.send("ServiceWorker.deliverPushMessage", message);
    }
  };
}

/**
 * The notifications that the device shows. Read on a page of the origin that is closed again, since an open page
 * counts as someone looking.
 */
export async function shownOn({ context }: Device): Promise<ShownNotification[]> {
  const page = await context.newPage();
  await page.goto("/manifest.webmanifest");
  const shown = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    const found = (await registration?.getNotifications()) ?? [];
    return found.map(({ title, tag, body, data }) => ({
      title,
      tag,
      body,
      path: (data as { path: string }).path,
    }));
  });
  await page.close();
  return shown;
}

/**
 * Presses a notification, and returns the address that the service worker opens. A browser opens windows only for a
 * person's press, so the test provides the event and the window.
 */
export async function pressNotification({ context }: Device, tag: string): Promise<string> {
  const [worker] = context.serviceWorkers();
  if (worker === undefined) throw new Error("There is no service worker.");
  return worker.evaluate(async (wanted) => {
    const scope = globalThis as unknown as {
      readonly registration: ServiceWorkerRegistration;
      readonly clients: { openWindow(url: string): Promise<null> };
    };
    const [notification] = await scope.registration.getNotifications({ tag: wanted });
    const { promise, resolve } = Promise.withResolvers<string>();
    scope.clients.openWindow = async (url) => {
      resolve(url);
      return null;
    };
    const event = Object.assign(new Event("notificationclick"), {
      notification,
      waitUntil: () => undefined,
    });
    globalThis.dispatchEvent(event);
    return promise;
  }, tag);
}

/** Leaves the page, like a person who reads something else: every page of a test browser is in view. */
export async function lookAway({ page }: Device): Promise<void> {
  await page.goto("about:blank");
}

/** Turns on notifications on the page of devices. */
export async function turnOnNotifications(device: Device): Promise<void> {
  const { page } = device;
  await device.open("/devices");
  const region = page.getByRole("region", { name: "Notifications" });
  await region.getByRole("switch", { name: "Notify this device" }).check();
  await button(page, "Send a test").waitFor();
}

import { createBrowserClock, type Transport } from "@holdpoint/client";
import type { SubscribeBody } from "@holdpoint/protocol";

import type { DeviceStorage } from "./device-storage.ts";
import { registerServiceWorker } from "./service-worker.ts";

type Settings = Pick<SubscribeBody, "about" | "language" | "quiet">;
type Calls = Pick<
  Transport,
  "getNotifications" | "removeNotifications" | "subscribeNotifications" | "updateNotifications"
>;

/** `page`: this browser has no push service, so its open pages show notifications themselves. */
export type TurnedOn = "push" | "page" | "denied";

/** Asks for permission, subscribes to push, and registers at the gateway. To be called after a press by the person. */
export async function turnOn(
  transport: Calls,
  storage: DeviceStorage,
  settings: Settings,
): Promise<TurnedOn> {
  if ((await Notification.requestPermission()) !== "granted") return "denied";
  const { publicKey } = await transport.getNotifications();
  const subscription = publicKey === undefined ? undefined : await subscribe(publicKey);
  if (subscription === undefined) {
    storage.write("notify", "page");
    return "page";
  }
  await transport.subscribeNotifications({ ...toBody(subscription), ...settings });
  storage.write("notify", subscription.endpoint);
  return "push";
}

/** Ends the subscription here and at the gateway. */
export async function turnOff(transport: Calls, storage: DeviceStorage): Promise<void> {
  const isPush = storage.read("notify") !== "page";
  storage.write("notify", undefined);
  const registration = await registerServiceWorker();
  const subscription = await registration?.pushManager?.getSubscription();
  await subscription?.unsubscribe();
  if (isPush) await transport.removeNotifications();
}

/**
 * Updates the subscription at the gateway when a page is opened: browsers occasionally change its address, and people
 * the language of the page.
 */
export async function refreshSubscription(
  transport: Calls,
  storage: DeviceStorage,
  language: string,
): Promise<void> {
  const said = storage.read("notify");
  if (said === undefined || said === "page") return;
  const { publicKey, devices } = await transport.getNotifications();
  const own = devices.find(({ current }) => current);
  if (own === undefined || publicKey === undefined) return storage.write("notify", undefined);
  const subscription = await subscribe(publicKey);
  if (subscription === undefined || subscription.endpoint === said) {
    if (own.language !== language) await transport.updateNotifications({ language });
    return;
  }
  const { about, quiet } = own;
  await transport.subscribeNotifications({
    ...toBody(subscription),
    about,
    language,
    ...(quiet && { quiet }),
  });
  storage.write("notify", subscription.endpoint);
}

/** A browser that cannot reach its push service never answers. */
const SUBSCRIBE_MS = 10_000;

/** The browser's subscription for this key; `undefined` if the push service refuses or does not answer in time. */
async function subscribe(publicKey: string): Promise<PushSubscription | undefined> {
  const inTime = new AbortController();
  const late = createBrowserClock().sleep(SUBSCRIBE_MS, { signal: inTime.signal });
  try {
    return await Promise.race([askPushService(publicKey), late.then(() => undefined)]);
  } finally {
    inTime.abort();
    await late.catch(() => undefined);
  }
}

async function askPushService(publicKey: string): Promise<PushSubscription | undefined> {
  const registration = await registerServiceWorker();
  if (registration?.pushManager === undefined) return undefined;
  const { pushManager } = registration;
  const key = toBytes(publicKey);
  try {
    const known = await pushManager.getSubscription();
    if (known !== null && hasKey(known, key)) return known;
    // A subscription for another key prevents a new one.
    await known?.unsubscribe();
    return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  } catch {
    return undefined;
  }
}

function hasKey({ options }: PushSubscription, key: Uint8Array): boolean {
  const own = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer());
  return own.length === key.length && own.every((byte, index) => byte === key[index]);
}

function toBody(subscription: PushSubscription): Pick<SubscribeBody, "endpoint" | "keys"> {
  const { endpoint, keys } = subscription.toJSON();
  const { p256dh = "", auth = "" } = keys ?? {};
  return { endpoint: endpoint ?? subscription.endpoint, keys: { p256dh, auth } };
}

function toBytes(base64Url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64Url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

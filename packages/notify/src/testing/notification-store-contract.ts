import { saying } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import type { Delivery, NotificationStore, Subscription } from "../ports/notification-store.ts";

/** Opens stores for the suite; each is empty. */
export interface NotificationStoreHarness {
  readonly open: () => Promise<NotificationStore>;
}

const NOW_MS = Date.parse("2026-01-01T00:00:00.000Z");

function subscription(deviceId: string, changes: Partial<Subscription> = {}): Subscription {
  return {
    deviceId,
    person: "Ada",
    endpoint: `https://push.example/${deviceId}`,
    p256dh: "B".repeat(87),
    auth: "a".repeat(22),
    about: "all",
    createdAtMs: NOW_MS,
    ...changes,
  };
}

function delivery(deliveryId: string, changes: Partial<Delivery> = {}): Delivery {
  return {
    deliveryId,
    targetId: "tok_1",
    interactionId: `int of ${deliveryId}`,
    state: "queued",
    next: { step: "tell", atMs: NOW_MS },
    tries: 0,
    mayBeShown: false,
    createdAtMs: NOW_MS,
    changedAtMs: NOW_MS,
    ...changes,
  };
}

/** The contract of all notification stores. Registers its tests with vitest. */
export function describeNotificationStoreContract(
  name: string,
  harness: NotificationStoreHarness,
): void {
  describe(`${name} keeps the notification store contract`, () => {
    describeSubscriptions(harness);
    describeDeliveries(harness);
  });
}

function describeSubscriptions({ open }: NotificationStoreHarness): void {
  test("subscriptions are listed oldest first, in the order they were put", async () => {
    const store = await open();
    const quiet = { from: "22:00", to: "07:00", timeZone: "Europe/Berlin" };
    const all = [
      subscription("tok_3", {
        createdAtMs: NOW_MS + 1,
        quiet,
        lastSentAtMs: 5,
        trouble: saying("push_time_zone"),
      }),
      subscription("tok_2"),
      subscription("a\u0000b \u2028 '; --"),
    ];
    for (const each of all) await store.putSubscription(each);
    expect(await store.listSubscriptions()).toEqual([all[2], all[1], all[0]]);
  });

  test("a device has one subscription, and a new one replaces it", async () => {
    const store = await open();
    await store.putSubscription(
      subscription("tok_1", { trouble: saying("push_time_zone"), about: "approvals" }),
    );
    const second = subscription("tok_1", { endpoint: "https://push.example/2" });
    await store.putSubscription(second);
    expect(await store.listSubscriptions()).toEqual([second]);
  });

  test("removing a subscription removes its deliveries, and no others", async () => {
    const store = await open();
    for (const deviceId of ["tok_1", "tok_2"]) await store.putSubscription(subscription(deviceId));
    const kept = delivery("2", { targetId: "tok_2" });
    await store.putDeliveries([delivery("1"), kept]);
    expect(await store.removeSubscription("tok_1")).toBe(true);
    expect(await store.removeSubscription("tok_1")).toBe(false);
    expect(await store.listSubscriptions()).toEqual([subscription("tok_2")]);
    expect(await store.listDeliveries()).toEqual([kept]);
  });
}

function describeDeliveries({ open }: NotificationStoreHarness): void {
  test("open deliveries are listed oldest first, in the order they were put", async () => {
    const store = await open();
    const { interactionId: _, next: __, ...summary } = delivery("3", { state: "sent", tries: 2 });
    const rows: Delivery[] = [
      delivery("1", { createdAtMs: NOW_MS + 5 }),
      delivery("2", { state: "closed" }),
      { ...summary, mayBeShown: true },
      delivery("4", { state: "failed", next: { step: "close", atMs: NOW_MS + 9 } }),
    ];
    await store.putDeliveries(rows);
    expect(await store.listDeliveries()).toEqual([rows[2], rows[3], rows[0]]);
    const sent = { ...rows[0]!, state: "sent" as const, tries: 1, mayBeShown: true };
    await store.putDeliveries([sent, delivery("4", { state: "closed" })]);
    expect(await store.listDeliveries()).toEqual([rows[2], sent]);
  });

  test("deliveries to one target are removed, and no others", async () => {
    const store = await open();
    const other = delivery("2", { targetId: "webhook desk" });
    await store.putDeliveries([delivery("1"), other]);
    await store.removeDeliveries("tok_1");
    expect(await store.listDeliveries()).toEqual([other]);
  });

  test("closed deliveries are deleted after their time, and no others", async () => {
    const store = await open();
    await store.putDeliveries([delivery("1", { state: "closed" }), delivery("2")]);
    await store.forgetClosed(NOW_MS);
    await store.forgetClosed(NOW_MS + 1);
    expect(await store.listDeliveries()).toEqual([delivery("2")]);
    // A forgotten delivery counts as a new one when it is stored again.
    await store.putDeliveries([delivery("1")]);
    expect(await store.listDeliveries()).toEqual([delivery("1"), delivery("2")]);
  });
}

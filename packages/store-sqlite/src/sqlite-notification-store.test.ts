import type { Delivery } from "@holdpoint/notify";
import { describeNotificationStoreContract } from "@holdpoint/notify/testing";
import { expect, onTestFinished, test } from "vitest";

import { openSqliteStore } from "./open-sqlite-store.ts";
import type { SqliteStore } from "./sqlite-store.ts";
import { createTemporaryDir } from "./testing/temporary-dir.ts";

async function openStore(dataDir = createTemporaryDir()): Promise<SqliteStore> {
  const store = await openSqliteStore({ dataDir });
  onTestFinished(() => store[Symbol.asyncDispose]());
  return store;
}

describeNotificationStoreContract("SqliteStore.notifications", {
  open: async () => (await openStore()).notifications,
});

const subscription = {
  deviceId: "tok_1",
  person: "Ada",
  endpoint: "https://push.example/1",
  p256dh: "B",
  auth: "a",
  about: "all",
  createdAtMs: 5,
} as const;
const delivery: Delivery = {
  deliveryId: "dlv_1",
  targetId: "tok_1",
  interactionId: "int_1",
  state: "queued",
  next: { step: "tell", atMs: 9 },
  tries: 1,
  mayBeShown: true,
  createdAtMs: 5,
  changedAtMs: 6,
};

test("subscriptions and deliveries survive a restart", async () => {
  const dataDir = createTemporaryDir();
  const first = await openStore(dataDir);
  await first.notifications.putSubscription(subscription);
  await first.notifications.putDeliveries([delivery]);
  await first[Symbol.asyncDispose]();
  const second = await openStore(dataDir);
  expect(await second.notifications.listSubscriptions()).toEqual([subscription]);
  expect(await second.notifications.listDeliveries()).toEqual([delivery]);
});

test("[R-18] the notifications of a closed store reject with STORE_CLOSED", async () => {
  const store = await openStore();
  const { notifications } = store;
  await store[Symbol.asyncDispose]();
  const calls: (() => Promise<unknown>)[] = [
    () => notifications.listSubscriptions(),
    () => notifications.putSubscription(subscription),
    () => notifications.removeSubscription("tok_1"),
    () => notifications.listDeliveries(),
    () => notifications.putDeliveries([delivery]),
    () => notifications.removeDeliveries("tok_1"),
    () => notifications.forgetClosed(9),
  ];
  for (const call of calls) {
    await expect(call()).rejects.toMatchObject({ name: "StoreError", code: "STORE_CLOSED" });
  }
});

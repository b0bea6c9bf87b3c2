import type { Callback } from "@holdpoint/notify";
import { describeCallbackStoreContract } from "@holdpoint/notify/testing";
import { expect, onTestFinished, test } from "vitest";

import { openSqliteStore } from "./open-sqlite-store.ts";
import type { SqliteStore } from "./sqlite-store.ts";
import { createTemporaryDir } from "./testing/temporary-dir.ts";

async function openStore(dataDir = createTemporaryDir()): Promise<SqliteStore> {
  const store = await openSqliteStore({ dataDir });
  onTestFinished(() => store[Symbol.asyncDispose]());
  return store;
}

describeCallbackStoreContract("SqliteStore.callbacks", {
  open: async () => (await openStore()).callbacks,
});

const callback: Callback = {
  interactionId: "int_1",
  url: "https://ci.example/done",
  state: "sending",
  dueAtMs: 9,
  tries: 1,
  createdAtMs: 5,
  changedAtMs: 6,
};

test("callbacks survive a restart", async () => {
  const dataDir = createTemporaryDir();
  const first = await openStore(dataDir);
  await first.callbacks.put(callback);
  await first[Symbol.asyncDispose]();
  const second = await openStore(dataDir);
  expect(await second.callbacks.listOpen()).toEqual([callback]);
});

test("[R-18] the callbacks of a closed store reject with STORE_CLOSED", async () => {
  const store = await openStore();
  const { callbacks } = store;
  await store[Symbol.asyncDispose]();
  const calls: (() => Promise<unknown>)[] = [
    () => callbacks.listOpen(),
    () => callbacks.find("int_1"),
    () => callbacks.put(callback),
    () => callbacks.remove("int_1"),
    () => callbacks.forgetDone(9),
  ];
  for (const call of calls) {
    await expect(call()).rejects.toMatchObject({ name: "StoreError", code: "STORE_CLOSED" });
  }
});

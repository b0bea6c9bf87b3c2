import { describeCredentialStoreContract } from "@holdpoint/engine/testing";
import { expect, onTestFinished, test } from "vitest";

import { openSqliteStore } from "./open-sqlite-store.ts";
import type { SqliteStore } from "./sqlite-store.ts";
import { createTemporaryDir } from "./testing/temporary-dir.ts";

async function openStore(dataDir = createTemporaryDir()): Promise<SqliteStore> {
  const store = await openSqliteStore({ dataDir });
  onTestFinished(() => store[Symbol.asyncDispose]());
  return store;
}

describeCredentialStoreContract("SqliteStore.credentials", {
  open: async () => (await openStore()).credentials,
});

const credential = {
  tokenId: "tok_1",
  tokenHash: "abc",
  kind: "device",
  person: "Ada",
  label: "Firefox",
  createdAtMs: 5,
  seal: "sealed",
} as const;

test("credentials and their last use survive a restart", async () => {
  const dataDir = createTemporaryDir();
  const first = await openStore(dataDir);
  await first.credentials.add(credential);
  await first.credentials.touch("tok_1", 100_000);
  await first[Symbol.asyncDispose]();
  const second = await openStore(dataDir);
  expect(await second.credentials.list()).toEqual([{ ...credential, lastUsedAtMs: 100_000 }]);
});

test("[R-18] the credentials of a closed store reject with STORE_CLOSED", async () => {
  const store = await openStore();
  const { credentials } = store;
  await store[Symbol.asyncDispose]();
  const calls: (() => Promise<unknown>)[] = [
    () => credentials.add(credential),
    () => credentials.findByHash("abc"),
    () => credentials.list(),
    () => credentials.touch("tok_1", 1),
    () => credentials.revoke("tok_1"),
  ];
  for (const call of calls) {
    await expect(call()).rejects.toMatchObject({ name: "StoreError", code: "STORE_CLOSED" });
  }
});

import { describeCredentialStoreContract, describeStoreContract } from "@holdpoint/engine/testing";
import {
  describeCallbackStoreContract,
  describeNotificationStoreContract,
} from "@holdpoint/notify/testing";
import { onTestFinished } from "vitest";

import { openPostgresStore } from "./open-postgres-store.ts";
import type { PostgresStore } from "./postgres-store.ts";
import { createDatabase, createTemporaryDir, emptyDatabase } from "./testing/test-database.ts";

let database: Promise<string> | undefined;

/** One database for all tests of this file, which is emptied before each of them. */
async function openEmpty(): Promise<PostgresStore> {
  database ??= createDatabase();
  const url = await database;
  await emptyDatabase(url);
  return openPostgresStore({ url, dataDir: createTemporaryDir() });
}

async function openForTest(): Promise<PostgresStore> {
  const store = await openEmpty();
  onTestFinished(() => store[Symbol.asyncDispose]());
  return store;
}

describeStoreContract("openPostgresStore", { open: openEmpty });

describeCredentialStoreContract("PostgresStore.credentials", {
  open: async () => (await openForTest()).credentials,
});
describeNotificationStoreContract("PostgresStore.notifications", {
  open: async () => (await openForTest()).notifications,
});
describeCallbackStoreContract("PostgresStore.callbacks", {
  open: async () => (await openForTest()).callbacks,
});

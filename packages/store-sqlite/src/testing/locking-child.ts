// Opens the store, prints that, and keeps it open until it is killed; or prints why it could not.
import { writeSync } from "node:fs";

import { StoreError } from "@holdpoint/engine";

import { openSqliteStore } from "../open-sqlite-store.ts";

try {
  await openSqliteStore({ dataDir: process.argv[2] ?? "" });
  writeSync(1, "opened\n");
  setInterval(() => {}, 60_000);
} catch (error: unknown) {
  if (!StoreError.isInstance(error)) throw error;
  writeSync(1, `${error.code} ${error.message}\n`);
}

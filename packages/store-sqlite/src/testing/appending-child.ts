// Appends until it is killed or the disk is full; prints each acknowledgement: session, seq, content.
import { writeSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

import { StoreError } from "@holdpoint/engine";

import { openSqliteStore } from "../open-sqlite-store.ts";
import { appendNumbered } from "./append-numbered.ts";

// With a fourth argument it prints a failure and continues.
const [dataDir = "", round = "", payload = "0", goesOn] = process.argv.slice(2);
const store = await openSqliteStore({ dataDir });
const say = (line: string): void => {
  writeSync(1, `${line}\n`);
};

async function appendForever(sessionId: string): Promise<never> {
  for (let count = 0; ; count += 1) {
    const name = `${round}-${count}`;
    try {
      say(await appendNumbered(store, { sessionId, name, bytes: Number(payload) }));
    } catch (error: unknown) {
      if (goesOn === undefined || !StoreError.isInstance(error)) throw error;
      say(`failed ${error.code} ${error.message}`);
      await setTimeout(20);
    }
  }
}

try {
  await Promise.all(["ses_a", "ses_b", "ses_c"].map(appendForever));
} catch (error: unknown) {
  if (!StoreError.isInstance(error)) throw error;
  say(`failed ${error.code} ${error.message}`);
  await store[Symbol.asyncDispose]();
  say("closed");
}

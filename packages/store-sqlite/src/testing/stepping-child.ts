// For each input line: appends to some sessions at once, prints the acknowledgements, and then `done`. First prints
// how its database syncs. argv: data folder, folder for another database.
import { writeSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { openDatabase } from "../database.ts";
import { openSqliteStore } from "../open-sqlite-store.ts";
import { appendNumbered } from "./append-numbered.ts";

const [dataDir = "", elsewhere = ""] = process.argv.slice(2);
const SESSIONS = ["ses_a", "ses_b", "ses_c"];
const say = (line: string): void => void writeSync(1, `${line}\n`);

const other = openDatabase(join(elsewhere, "other.db"));
say(JSON.stringify(other.prepare("PRAGMA synchronous").get()));
other.close();

const store = await openSqliteStore({ dataDir });
let step = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const [sessions = 1, bytes = 0] = line.split(" ").map(Number);
  const name = `step-${step}`;
  await Promise.all(
    SESSIONS.slice(0, sessions).map(async (sessionId) => {
      say(await appendNumbered(store, { sessionId, name, bytes }));
    }),
  );
  say("done");
  step += 1;
}

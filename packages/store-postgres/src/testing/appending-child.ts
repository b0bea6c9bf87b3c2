// Appends to three sessions until it is killed; prints each acknowledgement: session, seq, name. argv: address, data
// folder, round.
import { writeSync } from "node:fs";

import { openPostgresStore } from "../open-postgres-store.ts";
import { appendNumbered } from "./append-numbered.ts";

const [url = "", dataDir = "", round = ""] = process.argv.slice(2);
const store = await openPostgresStore({ url, dataDir });

async function appendForever(sessionId: string): Promise<never> {
  for (let count = 0; ; count += 1) {
    const { line } = await appendNumbered(store, sessionId, `${round}-${count}`);
    writeSync(1, `${line}\n`);
  }
}

await Promise.all(["ses_a", "ses_b", "ses_c"].map(appendForever));

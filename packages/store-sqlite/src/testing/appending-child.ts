// Appends until it is killed or a file may not grow further; says what was acknowledged: session, seq, content.
import { writeSync } from "node:fs";

import { StoreError } from "@holdpoint/engine";

import { openSqliteStore } from "../sqlite-store.ts";

const [dataDir = "", round = "", payload = "0"] = process.argv.slice(2);
const AT = "2025-01-01T00:00:00.000Z";
const store = await openSqliteStore({ dataDir });
const say = (line: string): void => {
  writeSync(1, `${line}\n`);
};

async function appendForever(sessionId: string): Promise<never> {
  for (let count = 0; ; count += 1) {
    const messageId = `${round}-${count}`;
    const result = await store.append({
      sessionId,
      session: {
        sessionId,
        agent: "demo",
        cwd: "/",
        title: messageId,
        permissionMode: "default",
        status: "running",
        createdAt: AT,
        updatedAt: AT,
      },
      events: [
        {
          at: AT,
          type: "user_message",
          messageId,
          content: "x".repeat(Number(payload)),
          origin: "person",
        },
      ],
    });
    if (result.status === "conflict") throw new Error("Nobody else appends here.");
    say(`${sessionId} ${result.lastSeq} ${messageId}`);
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

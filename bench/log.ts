// The length of the write-ahead log while another program reads without a pause.
import { once } from "node:events";
import { statSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";

import { openSqliteStore } from "@holdpoint/store-sqlite";

import { withFolder } from "./support/processes.ts";
import { atMost, type Row } from "./support/report.ts";

const READER = "../packages/store-sqlite/src/testing/reading-thread.ts";
const SESSION_ID = "ses_log";
const AT = "2026-01-01T00:00:00.000Z";
const WRITTEN_BYTES = 256 * 1024 * 1024;
const TEXT_BYTES = 64 * 1024;
const AT_ONCE = 8;
const MAX_LOG_BYTES = 128 * 1024 * 1024;

/** Writes as fast as it can, which is the worst case: the log's length is checked once a second. */
export function measureLog(): Promise<Row[]> {
  return withFolder(async (dataDir) => {
    await using store = await openSqliteStore({ dataDir });
    const { sessionId, ...times } = { sessionId: SESSION_ID, createdAt: AT, updatedAt: AT };
    const session = { sessionId, agent: "asking", cwd: "/", title: "", ...times } as const;
    await store.append({
      sessionId,
      session: { ...session, permissionMode: "default", status: "idle" },
    });
    const reader = new Worker(new URL(READER, import.meta.url), {
      workerData: join(dataDir, "holdpoint.db"),
    });
    await once(reader, "message");
    const text = "x".repeat(TEXT_BYTES);
    const event = { type: "assistant_message", at: AT, turnId: "trn_log", text } as const;
    const events = [{ ...event, messageId: "msg_log", channel: "text" }] as const;
    let longest = 0;
    for (let written = 0; written < WRITTEN_BYTES; written += AT_ONCE * TEXT_BYTES) {
      await Promise.all(Array.from({ length: AT_ONCE }, () => store.append({ sessionId, events })));
      longest = Math.max(longest, statSync(join(dataDir, "holdpoint.db-wal")).size);
    }
    await reader.terminate();
    const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`;
    return [
      {
        what: `longest log of ${megabytes(WRITTEN_BYTES)} written, under a steady reader`,
        figure: megabytes(longest),
        budget: atMost(longest, MAX_LOG_BYTES, megabytes(MAX_LOG_BYTES)),
      },
    ];
  });
}

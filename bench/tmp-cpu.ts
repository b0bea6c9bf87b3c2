import { mkdtempSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

import { openSqliteStore } from "../packages/store-sqlite/src/index.ts";
const AT = "2025-01-01T00:00:00.000Z";
const S = "ses_0123456789abcdef0123456789abcdef";
const EVENT = {
  at: AT,
  type: "assistant_message",
  messageId: "msg_0123456789abcdef0123456789abcdef",
  channel: "text",
  text: "x".repeat(200),
} as const;
const cpu = () => {
  const c = process.cpuUsage();
  return c.user + c.system;
};
const N = 4000;
for (let round = 0; round < 3; round++) {
  const d = mkdtempSync("/dev/shm/hp/s");
  const store = await openSqliteStore({ dataDir: d });
  await store.append({
    sessionId: S,
    session: {
      sessionId: S,
      agent: "demo",
      cwd: "/",
      title: "",
      permissionMode: "default",
      status: "running",
      createdAt: AT,
      updatedAt: AT,
    },
  });
  const BATCH = { sessionId: S, events: [EVENT] };
  let c = cpu(),
    w = performance.now();
  for (let i = 0; i < N; i++) await store.append(BATCH);
  console.log(
    "store seq cpu/op",
    ((cpu() - c) / N).toFixed(1),
    "wall",
    (((performance.now() - w) * 1000) / N).toFixed(1),
  );
  c = cpu();
  w = performance.now();
  for (let i = 0; i < N / 10; i++)
    await Promise.all(Array.from({ length: 64 }, () => store.append(BATCH)));
  console.log(
    "store grp cpu/op",
    ((cpu() - c) / N / 6.4).toFixed(2),
    "wall",
    (((performance.now() - w) * 1000) / N / 6.4).toFixed(2),
  );
  await store[Symbol.asyncDispose]();
  const db = new DatabaseSync(d + "/bare.db");
  db.exec(
    "pragma journal_mode=wal; pragma synchronous=full; CREATE TABLE events (session_id TEXT, seq INTEGER, json TEXT, PRIMARY KEY (session_id, seq))",
  );
  const b = db.prepare("BEGIN IMMEDIATE"),
    ins = db.prepare("INSERT INTO events VALUES (?, ?, ?)"),
    cm = db.prepare("COMMIT");
  let seq = 0;
  c = cpu();
  w = performance.now();
  for (let i = 0; i < N; i++) {
    seq++;
    b.run();
    ins.run(S, seq, JSON.stringify({ seq, ...EVENT }));
    cm.run();
    await null;
  }
  console.log(
    "bare seq cpu/op",
    ((cpu() - c) / N).toFixed(1),
    "wall",
    (((performance.now() - w) * 1000) / N).toFixed(1),
  );
  c = cpu();
  w = performance.now();
  for (let i = 0; i < N / 10; i++) {
    b.run();
    for (let k = 0; k < 64; k++) {
      seq++;
      ins.run(S, seq, JSON.stringify({ seq, ...EVENT }));
    }
    cm.run();
  }
  console.log(
    "bare grp cpu/op",
    ((cpu() - c) / N / 6.4).toFixed(2),
    "wall",
    (((performance.now() - w) * 1000) / N / 6.4).toFixed(2),
  );
  db.close();
  rmSync(d, { recursive: true });
}

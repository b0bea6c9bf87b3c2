// The cost of finding a grant among 10,000 of them, relative to a bare indexed SELECT of the same row; the two take
// turns.
import { DatabaseSync } from "node:sqlite";

import type { GrantWrite, StoredGrant } from "@holdpoint/engine";
import { openSqliteStore } from "@holdpoint/store-sqlite";

import { withFolder } from "./support/processes.ts";
import { median, percentile, type Row } from "./support/report.ts";

const GRANTS = 10_000;
const LOOKUPS = 2_000;
const AT = "2025-01-01T00:00:00.000Z";
const SESSION = "ses_0123456789abcdef0123456789abcdef";

const MAX_LOOKUP_MICROS = 1000;

export function measureGrants(): Promise<Row[]> {
  return withFolder(async (dataDir) => {
    await using store = await openSqliteStore({ dataDir });
    const rows = Array.from({ length: GRANTS }, (_, index) => grantRow(index));
    await store.append({
      sessionId: SESSION,
      session: {
        sessionId: SESSION,
        agent: "demo",
        cwd: "/",
        title: "",
        permissionMode: "default",
        status: "running",
        createdAt: AT,
        updatedAt: AT,
      },
      grants: rows.map((row): GrantWrite => ({ type: "add", row })),
    });
    using bare = openBare(rows);
    const select = bare.prepare("SELECT json FROM grants WHERE key_hash = ?");
    const nowMs = Date.parse(AT) + 1;
    const find = (keyHash: string) => store.findGrants({ keyHash, sessionId: SESSION, nowMs });
    const hits: number[] = [];
    const misses: number[] = [];
    const bares: number[] = [];
    for (let index = 0; index < LOOKUPS; index += 1) {
      const keyHash = keyOf((index * 7919) % GRANTS);
      hits.push(await time(() => find(keyHash)));
      misses.push(await time(() => find(keyOf(GRANTS + index))));
      bares.push(
        await time(async () => JSON.parse((select.get(keyHash) as { json: string }).json)),
      );
    }
    const worst = percentile([...hits, ...misses], 0.99);
    const ratio = median(hits) / median(bares);
    return [
      {
        what: `finding one of ${GRANTS} grants, p50 and p99`,
        figure: `${median(hits).toFixed(0)} µs = ${ratio.toFixed(1)} × a bare SELECT, ${worst.toFixed(0)} µs`,
        budget: { text: `< ${MAX_LOOKUP_MICROS} µs`, kept: worst < MAX_LOOKUP_MICROS },
      },
    ];
  });
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) * 1000;
}

function openBare(rows: readonly StoredGrant[]): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE TABLE grants (key_hash TEXT PRIMARY KEY, json TEXT NOT NULL)");
  const insert = database.prepare("INSERT INTO grants VALUES (?, ?)");
  for (const row of rows) insert.run(row.keyHash, JSON.stringify(row));
  return database;
}

function keyOf(index: number): string {
  return (index * 0x9e37_79b1).toString(16).padStart(64, "0");
}

/** Every other grant applies only to its session. */
function grantRow(index: number): StoredGrant {
  const scope = index % 2 === 0 ? "always" : "session";
  return {
    grant: {
      grantId: `gnt_${index}`,
      scope,
      toolName: "delete_files",
      text: "Deleting exactly these files in this directory, until it ends.",
      ...(scope === "session" && { sessionId: SESSION }),
      agent: "claude",
      cwd: "/work/project",
      createdAt: AT,
      by: { person: "Ada", client: "Firefox on Linux", at: AT },
      interactionId: `int_${index}`,
    },
    keyHash: keyOf(index),
    sessionId: SESSION,
  };
}

import { copyFileSync } from "node:fs";
import { join } from "node:path";

import type { GrantWrite, Store, StoredGrant } from "@holdpoint/engine";
import { expect, test } from "vitest";

import { openSqliteStore } from "./open-sqlite-store.ts";
import { createTemporaryDir } from "./testing/temporary-dir.ts";

const AT = "2025-01-01T00:00:00.000Z";
const SESSION = "ses_1";

const row = (grantId: string): StoredGrant => ({
  grant: {
    grantId,
    scope: "once",
    toolName: "Bash",
    text: "Exactly this command, once.",
    sessionId: SESSION,
    createdAt: AT,
    by: { person: "Ada", client: "laptop", at: AT },
    interactionId: "int_1",
  },
  keyHash: "key",
  sessionId: SESSION,
});

async function write(store: Store, ...grants: GrantWrite[]): Promise<void> {
  const session = {
    sessionId: SESSION,
    agent: "demo",
    cwd: "/",
    title: "",
    permissionMode: "default",
    status: "idle" as const,
    createdAt: AT,
    updatedAt: AT,
  };
  const result = await store.append({ sessionId: SESSION, session, grants });
  expect(result.status).toBe("appended");
}

const find = (store: Store) => store.findGrants({ keyHash: "key", sessionId: SESSION, nowMs: 0 });

test("a grant and its uses survive a restart", async () => {
  const dataDir = createTemporaryDir();
  {
    await using store = await openSqliteStore({ dataDir });
    await write(store, { type: "add", row: row("gnt_1") });
    await write(store, { type: "use", grantId: "gnt_1", usedAt: AT });
  }
  await using store = await openSqliteStore({ dataDir });
  expect(await find(store)).toMatchObject([{ grant: { grantId: "gnt_1", lastUsedAt: AT } }]);
});

test("[R-5] a restored older database has no working grants, whether used since then or not", async () => {
  const dataDir = createTemporaryDir();
  const database = join(dataDir, "holdpoint.db");
  const copy = join(createTemporaryDir(), "copy.db");
  {
    await using store = await openSqliteStore({ dataDir });
    await write(
      store,
      { type: "add", row: row("gnt_used") },
      { type: "add", row: row("gnt_unused") },
    );
  }
  copyFileSync(database, copy);
  {
    await using store = await openSqliteStore({ dataDir });
    await write(store, { type: "remove", grantId: "gnt_used" });
    expect(await find(store)).toHaveLength(1);
  }
  copyFileSync(copy, database);
  await using store = await openSqliteStore({ dataDir, acceptLoss: true });
  expect(await find(store)).toEqual([]);
  expect(await store.listGrants({ nowMs: 0, limit: 10 })).toEqual({ items: [] });
  await write(store, { type: "add", row: row("gnt_new") });
  expect(await find(store)).toHaveLength(1);
});

import { createHash } from "node:crypto";

import type { AuditSource } from "@holdpoint/engine";
import { openSqliteAudit, openSqliteStore } from "@holdpoint/store-sqlite";
import { expect, test } from "vitest";

import { moveToPostgres } from "./move-store.ts";
import { openPostgresAudit } from "./open-postgres-audit.ts";
import { openPostgresStore } from "./open-postgres-store.ts";
import { appendNumbered } from "./testing/append-numbered.ts";
import { fillStore } from "./testing/fill-store.ts";
import { createDatabase, createTemporaryDir } from "./testing/test-database.ts";

async function contentsOf(opening: Promise<AuditSource>): Promise<string[]> {
  await using source = await opening;
  const found: string[] = [];
  const note = (row: object): void => {
    const text = JSON.stringify(row, Object.keys(row).toSorted());
    found.push(createHash("sha256").update(text).digest("hex"));
  };
  for await (const session of source.sessions()) {
    note(session);
    for await (const event of source.events(session.sessionId, 0)) note(event);
  }
  return found;
}

test("[R-16] an audit reads the same from both stores, page by page and during writes, and stays at its moment", async () => {
  const dataDir = createTemporaryDir();
  const url = await createDatabase();
  let before: string[];
  {
    await using store = await openSqliteStore({ dataDir });
    await fillStore(store);
    // More than a page of events, and events of which a page has few.
    await Promise.all(
      Array.from({ length: 600 }, () => appendNumbered(store, "ses_long", "small")),
    );
    for (let index = 0; index < 5; index += 1) {
      await appendNumbered(store, "ses_large", "x".repeat(500_000));
    }
    const few = Array.from({ length: 120 }, (_, index) =>
      appendNumbered(store, `ses_${index}`, "a"),
    );
    await Promise.all(few);
    before = await contentsOf(openSqliteAudit(dataDir));
    expect(before.length).toBeGreaterThan(1200 + 120);
  }
  expect(await contentsOf(openSqliteAudit(dataDir))).toEqual(before);
  await moveToPostgres({ url, dataDir });
  await expect(openSqliteAudit(dataDir)).rejects.toThrow(/was moved to/u);
  await using store = await openPostgresStore({ url, dataDir });
  expect(await contentsOf(openPostgresAudit(url))).toEqual(before);
  const source = await openPostgresAudit(url);
  await appendNumbered(store, "ses_long", "later");
  await appendNumbered(store, "ses_later", "later");
  expect(await contentsOf(Promise.resolve(source))).toEqual(before);
  await expect(openPostgresAudit(await createDatabase({ empty: true }))).rejects.toThrow(
    /of an earlier release, or empty/u,
  );
});

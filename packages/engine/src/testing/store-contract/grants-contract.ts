import { expect, test } from "vitest";

import type { GrantWrite, StoredGrant } from "../../ports/grant-store.ts";
import type { Batch, Store } from "../../ports/store.ts";
import { creation, grantRow, instant, messageEvent } from "./store-fixtures.ts";
import { type Open, SESSION } from "./store-suite.ts";

const OTHER = "ses_2";
const nowMs = Date.parse(instant(10));

const change = (...grants: GrantWrite[]): Batch => ({ sessionId: SESSION, grants });
const add = (row: StoredGrant): Batch => ({
  sessionId: row.sessionId ?? SESSION,
  grants: [{ type: "add", row }],
});
const remove = (grantId: string): GrantWrite => ({ type: "remove", grantId });
const use = (grantId: string, offsetMs = 5): GrantWrite => ({
  type: "use",
  grantId,
  usedAt: instant(offsetMs),
});

async function idsOf(store: Store, sessionId = SESSION, keyHash = "key"): Promise<string[]> {
  const found = await store.findGrants({ keyHash, sessionId, nowMs });
  return found.map(({ grant }) => grant.grantId);
}

/** The contract of all stores about grants. */
export function describeGrants(open: Open): void {
  describeFinding(open);
  describeAssumptions(open);
  describeChanges(open);
  describeLists(open);
}

function describeAssumptions(open: Open): void {
  const assume = (...grantIds: string[]): GrantWrite => ({
    type: "assume",
    keyHash: "key",
    nowMs,
    grantIds,
  });

  test("[R-5] a batch conflicts with a grant that its writer has not seen, and with nothing else", async () => {
    await using store = await open(
      creation(SESSION),
      creation(OTHER),
      add(grantRow(SESSION, "gnt_seen")),
      add(grantRow(SESSION, "gnt_expired", { expiresAt: instant(10) })),
      add(grantRow(SESSION, "gnt_bound", { sessionId: SESSION })),
    );
    const write = (...grantIds: string[]): Promise<{ status: string }> =>
      store.append({
        ...change(assume(...grantIds), use("gnt_seen")),
        events: [messageEvent("x")],
      });
    expect(await write("gnt_seen", "gnt_gone")).toMatchObject({ status: "appended" });
    expect(await write()).toMatchObject({
      status: "conflict",
      conflict: { kind: "grant", grantId: "gnt_seen" },
    });
    await store.append(add(grantRow(SESSION, "gnt_new")));
    expect(await write("gnt_seen")).toMatchObject({ conflict: { grantId: "gnt_new" } });
    expect(await store.readEvents(SESSION, { after: 0, limit: 10 })).toHaveLength(1);
  });
}

function describeFinding(open: Open): void {
  test("a grant is read as it was written", async () => {
    const row = grantRow(SESSION, "gnt_1", { text: "exactly \u0000 \ud800 \u202e this" });
    await using store = await open(creation(SESSION), add(row));
    expect(await store.getGrant("gnt_1")).toEqual(row);
    expect(await store.findGrants({ keyHash: "key", sessionId: SESSION, nowMs })).toEqual([row]);
    expect(await store.getGrant("gnt_2")).toBeUndefined();
  });

  test("[R-15] a grant that is bound to a session is found there, and an unbound one everywhere, first", async () => {
    await using store = await open(
      creation(SESSION),
      creation(OTHER),
      add(grantRow(SESSION, "gnt_b", { sessionId: SESSION, createdAt: instant(2) })),
      add(grantRow(SESSION, "gnt_a", { sessionId: SESSION, createdAt: instant(2) })),
      add(grantRow(OTHER, "gnt_other", { sessionId: OTHER, createdAt: instant(1) })),
      add(grantRow(OTHER, "gnt_always", { createdAt: instant(3) })),
    );
    expect(await idsOf(store)).toEqual(["gnt_always", "gnt_a", "gnt_b"]);
    expect(await idsOf(store, OTHER)).toEqual(["gnt_always", "gnt_other"]);
    expect(await idsOf(store, "ses_unknown")).toEqual(["gnt_always"]);
    expect(await idsOf(store, SESSION, "another key")).toEqual([]);
  });

  test.each([
    [9, false],
    [10, false],
    [11, true],
  ])("[R-5] a grant that expires at %i is valid at 10: %s", async (offsetMs, holds) => {
    await using store = await open(
      creation(SESSION),
      add(grantRow(SESSION, "gnt_1", { expiresAt: instant(offsetMs) })),
    );
    expect(await idsOf(store)).toEqual(holds ? ["gnt_1"] : []);
    expect((await store.listGrants({ nowMs, limit: 10 })).items).toHaveLength(holds ? 1 : 0);
  });

  test("deleting a session deletes its own grants", async () => {
    await using store = await open(
      creation(SESSION),
      creation(OTHER),
      add(grantRow(SESSION, "gnt_own", { sessionId: SESSION })),
      add(grantRow(SESSION, "gnt_always")),
      add(grantRow(OTHER, "gnt_other", { sessionId: OTHER })),
    );
    await store.deleteSession(SESSION);
    expect(await store.getGrant("gnt_own")).toBeUndefined();
    expect(await idsOf(store, OTHER)).toEqual(["gnt_always", "gnt_other"]);
    await store.append(creation(SESSION));
    expect(await idsOf(store)).toEqual(["gnt_always"]);
  });
}

function describeChanges(open: Open): void {
  test("each use of a grant is stored", async () => {
    const row = grantRow(SESSION, "gnt_1");
    await using store = await open(creation(SESSION), add(row), change(use("gnt_1")));
    expect((await store.getGrant("gnt_1"))?.grant.lastUsedAt).toBe(instant(5));
    await store.append(change(use("gnt_1", 7)));
    const used = { ...row, grant: { ...row.grant, lastUsedAt: instant(7) } };
    expect(await store.getGrant("gnt_1")).toEqual(used);
    expect(await store.findGrants({ keyHash: "key", sessionId: SESSION, nowMs })).toEqual([used]);
    expect((await store.listGrants({ nowMs, limit: 1 })).items).toEqual([used]);
  });

  test("one of 50 concurrent batches that use up a grant is appended, and the others write nothing", async () => {
    await using store = await open(creation(SESSION), add(grantRow(SESSION, "gnt_1")));
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        store.append({ ...change(remove("gnt_1")), events: [messageEvent(`${index}`)] }),
      ),
    );
    const conflict = { status: "conflict", conflict: { kind: "grant", grantId: "gnt_1" } };
    expect(results.filter(({ status }) => status === "appended")).toHaveLength(1);
    expect(results.filter(({ status }) => status === "conflict")).toEqual(
      Array.from({ length: 49 }, () => conflict),
    );
    expect(await store.readEvents(SESSION, { limit: 100 })).toHaveLength(1);
    expect(await store.getGrant("gnt_1")).toBeUndefined();
  });

  test("using or removing a missing grant conflicts, and so does adding an existing one", async () => {
    const row = grantRow(SESSION, "gnt_1");
    await using store = await open(creation(SESSION), add(row));
    for (const batch of [
      change(use("gnt_2")),
      change(remove("gnt_2")),
      add({ ...row, keyHash: "other" }),
      change(remove("gnt_1"), use("gnt_1")),
      change({ type: "add", row: grantRow(SESSION, "gnt_3") }, remove("gnt_4")),
    ]) {
      expect(await store.append(batch)).toMatchObject({ conflict: { kind: "grant" } });
    }
    expect(await idsOf(store)).toEqual(["gnt_1"]);
    expect((await store.getGrant("gnt_1"))?.grant.lastUsedAt).toBeUndefined();
  });

  test("[R-15] a bound grant is not changed from another session, and added only in its own", async () => {
    await using store = await open(
      creation(SESSION),
      creation(OTHER),
      add(grantRow(OTHER, "gnt_1", { sessionId: OTHER })),
      add(grantRow(OTHER, "gnt_always")),
    );
    for (const write of [use("gnt_1"), remove("gnt_1")]) {
      expect(await store.append(change(write))).toMatchObject({ conflict: { kind: "grant" } });
    }
    for (const row of [
      grantRow(OTHER, "gnt_2"),
      grantRow(SESSION, "gnt_2", { sessionId: OTHER }),
    ]) {
      await expect(store.append(change({ type: "add", row }))).rejects.toThrow(TypeError);
    }
    expect(await store.append(change(use("gnt_always")))).toMatchObject({ status: "appended" });
    expect(await store.append(change(remove("gnt_always")))).toMatchObject({ status: "appended" });
    expect(await idsOf(store, OTHER)).toEqual(["gnt_1"]);
  });

  test("a grant for three calls covers three, however many want it at once, and is then removed", async () => {
    const row = grantRow(SESSION, "gnt_1", { usesLeft: 3 });
    await using store = await open(creation(SESSION), add(row), change(use("gnt_1")));
    const left = { ...row.grant, usesLeft: 2, lastUsedAt: instant(5) };
    expect(await store.getGrant("gnt_1")).toEqual({ ...row, grant: left });
    expect((await store.listGrants({ nowMs, limit: 1 })).items[0]?.grant).toEqual(left);
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        store.append({ ...change(use("gnt_1", 6)), events: [messageEvent(`${index}`)] }),
      ),
    );
    expect(results.filter(({ status }) => status === "appended")).toHaveLength(2);
    expect(await store.readEvents(SESSION, { limit: 100 })).toHaveLength(2);
    expect(await store.getGrant("gnt_1")).toBeUndefined();
    expect(await idsOf(store)).toEqual([]);
  });

  test("an expired grant is not used, even at the exact instant", async () => {
    await using store = await open(
      creation(SESSION),
      add(grantRow(SESSION, "gnt_1", { expiresAt: instant(6) })),
    );
    expect(await store.append(change(use("gnt_1", 5)))).toMatchObject({ status: "appended" });
    for (const offsetMs of [6, 7]) {
      const result = await store.append(change(use("gnt_1", offsetMs)));
      expect(result).toMatchObject({ conflict: { kind: "grant" } });
    }
  });

  test("a grant without a session is valid in all, is used from any and can be removed", async () => {
    const { sessionId: _, ...row } = grantRow(SESSION, "gnt_1", {
      rule: { verdict: "allow", pattern: "npm run *" },
    });
    await using store = await open(creation(SESSION), creation(OTHER));
    await store.addGrant(row);
    expect(await store.getGrant("gnt_1")).toEqual(row);
    expect(await idsOf(store, OTHER)).toEqual(["gnt_1"]);
    expect(await store.append({ ...change(use("gnt_1")), sessionId: OTHER })).toMatchObject({
      status: "appended",
    });
    await store.deleteSession(SESSION);
    expect((await store.getGrant("gnt_1"))?.grant.lastUsedAt).toBe(instant(5));
    expect(await store.removeGrant("gnt_1")).toBe(true);
    expect(await idsOf(store, OTHER)).toEqual([]);
  });

  test("adding a grant deletes expired ones", async () => {
    await using store = await open(
      creation(SESSION),
      add(grantRow(SESSION, "gnt_old", { expiresAt: instant(5) })),
      add(grantRow(SESSION, "gnt_current", { expiresAt: instant(6) })),
      add(grantRow(SESSION, "gnt_endless")),
    );
    await store.append(add(grantRow(SESSION, "gnt_new", { createdAt: instant(5) })));
    expect(await store.getGrant("gnt_old")).toBeUndefined();
    expect(await store.getGrant("gnt_current")).toBeDefined();
    expect(await store.getGrant("gnt_endless")).toBeDefined();
  });

  test("a grant can be removed without a session, once", async () => {
    await using store = await open(creation(SESSION), add(grantRow(SESSION, "gnt_1")));
    await store.deleteSession(SESSION);
    expect(await store.removeGrant("gnt_1")).toBe(true);
    expect(await store.removeGrant("gnt_1")).toBe(false);
    expect(await idsOf(store)).toEqual([]);
  });
}

function describeLists(open: Open): void {
  test("grants are listed newest first, page by page, each once", async () => {
    const ids = Array.from({ length: 7 }, (_, index) => `gnt_${index}`);
    await using store = await open(
      creation(SESSION),
      ...ids.map((id, index) =>
        add(grantRow(SESSION, id, { createdAt: instant(Math.floor(index / 2)) })),
      ),
    );
    const listed: string[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await store.listGrants({
        nowMs,
        limit: 3,
        ...(cursor !== undefined && { cursor }),
      });
      listed.push(...page.items.map(({ grant }) => grant.grantId));
      cursor = page.nextCursor;
      if (cursor === undefined) break;
    }
    expect(listed).toEqual(ids.toReversed());
    expect(await store.listGrants({ nowMs, cursor: "nonsense", limit: 3 })).toEqual({ items: [] });
  });
}

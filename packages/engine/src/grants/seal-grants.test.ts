import { expect, test } from "vitest";

import { createMemoryStore } from "../memory-store/memory-store.ts";
import type { StoredGrant } from "../ports/grant-store.ts";
import type { Ids } from "../ports/ids.ts";
import type { Store } from "../ports/store.ts";
import { ada } from "../testing/gateway-fixture.ts";
import { type GrantScene, openGrantScene } from "../testing/grant-scene.ts";
import { createSequentialIds } from "../testing/sequential-ids.ts";
import { createMemorySpentGrants } from "./seal-grants.ts";

const KEY = new Uint8Array(32).fill(7);
const ALL = { nowMs: 0, limit: 100 };

async function openSealed(given: Partial<{ store: Store; key: Uint8Array; ids: Ids }> = {}) {
  const { store = createMemoryStore(), key = KEY, ids = createSequentialIds() } = given;
  const spent = createMemorySpentGrants();
  const open = (): Promise<GrantScene> =>
    openGrantScene({
      store,
      ids,
      grants: { key, spent },
    });
  return { store, open };
}

/** Writes the row as someone with write access to the database only. */
async function write(store: Store, row: StoredGrant): Promise<void> {
  await store.removeGrant(row.grant.grantId);
  await store.addGrant(row);
}

async function onlyRow(store: Store): Promise<StoredGrant> {
  const [row] = (await store.listGrants(ALL)).items;
  if (row === undefined) throw new Error("There is no grant.");
  return row;
}

/** Whether a person is asked about the call. */
async function isAsked(scene: GrantScene, toolCallId: string, grantKey: string): Promise<boolean> {
  await scene.start({ toolCallId, grantKey });
  return (await scene.pending(toolCallId)) !== undefined;
}

test("[R-5] a grant is valid, even after a restart, unless someone else wrote or changed it", async ({
  annotate,
}) => {
  const { store, open } = await openSealed();
  await using scene = await open();
  await scene.start(
    { toolCallId: "own", grantKey: "k" },
    { toolCallId: "other", grantKey: "other" },
  );
  await scene.approve("own", "always");
  const other = await scene.pending("other");
  const row = await onlyRow(store);
  const { grant } = row;
  const { expiresAt: _, ...endlessGrant } = grant;
  expect(await isAsked(scene, "same", "k")).toBe(false);
  const otherHash = "0".repeat(64);
  const changes: Record<string, StoredGrant> = {
    "without a seal": { grant, keyHash: row.keyHash },
    "with a seal of zeros": { ...row, seal: `:${"0".repeat(64)}` },
    "with another seal's form": { ...row, seal: `9${row.seal}` },
    "of another tool": { ...row, grant: { ...grant, toolName: "Write" } },
    "of another agent": { ...row, grant: { ...grant, agent: "demo" } },
    "in another directory": { ...row, grant: { ...grant, cwd: "/" } },
    "of another person": { ...row, grant: { ...grant, by: { ...grant.by, person: "Eve" } } },
    "for longer": { ...row, grant: { ...grant, expiresAt: "2999-01-01T00:00:00.000Z" } },
    "without an end": { ...row, grant: endlessGrant },
    "with another scope": { ...row, grant: { ...grant, scope: "once" } },
    "made a rule": { ...row, grant: { ...grant, rule: { verdict: "allow", pattern: "*" } } },
    "with another text": { ...row, grant: { ...grant, text: "Everything." } },
    "with another id": { ...row, grant: { ...grant, grantId: "gnt_copied" } },
    "with uses": { ...row, grant: { ...grant, usesLeft: 5 } },
    "of another session": { ...row, sessionId: "ses_other" },
    "for another call": { ...row, keyHash: otherHash },
  };
  let tried = 0;
  for (const [name, changed] of Object.entries(changes)) {
    await store.removeGrant(grant.grantId);
    await write(store, changed);
    const asked = await isAsked(scene, `call ${tried}`, "k");
    expect([name, asked, (await scene.grants()).length]).toEqual([name, true, 0]);
    await store.removeGrant(changed.grant.grantId);
    tried += 1;
  }
  expect(tried).toBe(16);
  expect(scene.fixture.errors.length).toBeGreaterThan(0);
  await annotate(`${tried} changes of a row`, "cases");

  await write(store, row);
  expect(await isAsked(scene, "again", "k")).toBe(false);
  expect(other).toBeDefined();
});

test("[R-5] a revoked or used grant is not valid again when its row is written back", async () => {
  const { store, open } = await openSealed();
  {
    await using scene = await open();
    await scene.start({ toolCallId: "t1", grantKey: "k" });
    await scene.approve("t1", "always");
    const row = await onlyRow(store);
    await scene.fixture.gateway.revokeGrant(ada, row.grant.grantId);
    await write(store, row);
    expect(await isAsked(scene, "t2", "k")).toBe(true);
    await store.removeGrant(row.grant.grantId);

    await scene.start({ toolCallId: "t3", grantKey: "limited" });
    await scene.approve("t3", "always", { uses: 2 });
    const limited = await onlyRow(store);
    expect(await isAsked(scene, "t4", "limited")).toBe(false);
    await write(store, limited);
    expect(await isAsked(scene, "t5", "limited")).toBe(true);
    const more = { ...limited, grant: { ...limited.grant, usesLeft: 1000 } };
    await write(store, more);
    expect(await isAsked(scene, "t6", "limited")).toBe(true);
    const { usesLeft: _, ...endless } = limited.grant;
    await write(store, { ...limited, grant: endless });
    expect(await isAsked(scene, "t7", "limited")).toBe(true);
    await write(store, row);
  }
  await using scene = await open();
  expect(await isAsked(scene, "t8", "k")).toBe(true);
  expect(scene.fixture.errors.length).toBeGreaterThan(0);
});

test("[R-5] a row with another gateway's key is ignored, and other grants stay valid", async () => {
  const store = createMemoryStore();
  const ids = createSequentialIds();
  const foreign = await openSealed({ store, ids, key: new Uint8Array(32).fill(8) });
  {
    await using scene = await foreign.open();
    await scene.fixture.gateway.createRule(ada, {
      verdict: "allow",
      pattern: "make *",
      cwd: "/work",
    });
  }
  const { open } = await openSealed({ store, ids });
  await using scene = await open();
  expect(scene.fixture.errors).toHaveLength(1);
  expect(await scene.grants()).toEqual([]);
  await scene.start({ toolCallId: "t1", grantKey: "k" });
  await scene.approve("t1", "always");
  expect(await isAsked(scene, "t2", "k")).toBe(false);
  expect(await isAsked(scene, "t3", "other")).toBe(true);
});

test("[R-5] a rule that someone writes into the store of a running gateway is ignored, and grants stay valid", async () => {
  const store = createMemoryStore();
  const elsewhere = await openSealed({ key: new Uint8Array(32).fill(8) });
  let rule: StoredGrant;
  {
    await using scene = await elsewhere.open();
    const { gateway } = scene.fixture;
    await gateway.createRule(ada, { verdict: "allow", pattern: "make *", cwd: "/work" });
    rule = await onlyRow(elsewhere.store);
  }
  const { open } = await openSealed({ store });
  await using scene = await open();
  await scene.start({ toolCallId: "t1", grantKey: "k" });
  await scene.approve("t1", "always");
  for (const at of [1, 2, 3]) {
    await store.addGrant({ ...rule, grant: { ...rule.grant, grantId: `gnt_foreign_${at}` } });
    expect(await isAsked(scene, `covered ${at}`, "k")).toBe(false);
    expect(await isAsked(scene, `asked ${at}`, "other")).toBe(true);
  }
});

test("[R-1] a sealed grant covers five of twenty calls at the same instant", async () => {
  const { open } = await openSealed();
  await using scene = await open();
  const sessionId = await scene.start({ toolCallId: "t1", grantKey: "k" });
  await scene.approve("t1", "always", { uses: 5 });
  const calls = Array.from({ length: 20 }, (_, at) => ({ toolCallId: `c${at}`, grantKey: "k" }));
  await scene.makeCalls(sessionId, ...calls);
  expect(await scene.uses(sessionId)).toHaveLength(5);
});

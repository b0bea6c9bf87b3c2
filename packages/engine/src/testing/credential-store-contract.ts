import { describe, expect, test } from "vitest";

import type { CredentialStore, StoredCredential } from "../ports/credential-store.ts";

/** Opens credential stores for the suite; each is empty. */
export interface CredentialStoreHarness {
  open(): Promise<CredentialStore>;
}

const MINUTE_MS = 60_000;
const NOW_MS = Date.parse("2025-01-01T00:00:00.000Z");

function credential(tokenId: string, changes: Partial<StoredCredential> = {}): StoredCredential {
  return {
    tokenId,
    tokenHash: `hash of ${tokenId}`,
    kind: "device",
    person: "Ada",
    label: "Firefox on Linux",
    createdAtMs: NOW_MS,
    seal: `seal of ${tokenId}`,
    ...changes,
  };
}

/** The contract of all credential stores. Registers its tests with vitest. */
export function describeCredentialStoreContract(
  name: string,
  harness: CredentialStoreHarness,
): void {
  const open = async (...credentials: StoredCredential[]): Promise<CredentialStore> => {
    const store = await harness.open();
    for (const each of credentials) await store.add(each);
    return store;
  };

  describe(`${name} keeps the credential store contract`, () => {
    describeKeeping(open);
    describeUse(open);
  });
}

type Open = (...credentials: StoredCredential[]) => Promise<CredentialStore>;

function describeKeeping(open: Open): void {
  test.each([
    credential("tok_1"),
    credential("tok_2", { kind: "agent", lastUsedAtMs: NOW_MS + 5 }),
    credential("'; --", { person: "a\u0000b \u2028 \ud800", label: "" }),
  ])("a credential is found by its hash as it was added: $tokenId", async (added) => {
    const store = await open(credential("tok_other"), added);
    expect(await store.findByHash(added.tokenHash)).toEqual(added);
    expect(await store.list()).toContainEqual(added);
  });

  test("a replaced credential keeps its place and its last use, and an unknown one is not added", async () => {
    const store = await open(credential("tok_1"), credential("tok_2"));
    await store.touch("tok_1", NOW_MS + MINUTE_MS);
    const renamed = credential("tok_1", { label: "Desk", seal: "another seal" });
    expect(await store.replace(renamed)).toBe(true);
    expect(await store.replace(credential("tok_3"))).toBe(false);
    const used = { ...renamed, lastUsedAtMs: NOW_MS + MINUTE_MS };
    expect(await store.list()).toEqual([used, credential("tok_2")]);
    expect(await store.findByHash(renamed.tokenHash)).toEqual(used);
  });

  test("another hash finds nothing", async () => {
    const store = await open(credential("tok_1"));
    for (const hash of ["", "hash of tok_", "hash of tok_1 ", "HASH OF TOK_1", "%"]) {
      expect(await store.findByHash(hash)).toBeUndefined();
    }
  });

  test("credentials are listed oldest first", async () => {
    const ages = [5, 1, 9, 1];
    const store = await open(
      ...ages.map((age, index) => credential(`tok_${index}`, { createdAtMs: NOW_MS + age })),
    );
    expect((await store.list()).map(({ tokenId }) => tokenId)).toEqual([
      "tok_1",
      "tok_3",
      "tok_0",
      "tok_2",
    ]);
  });

  test("a second credential with the same id or the same hash is refused", async () => {
    const first = credential("tok_1");
    const store = await open(first);
    for (const second of [
      credential("tok_1", { tokenHash: "another" }),
      credential("tok_2", { tokenHash: first.tokenHash }),
    ]) {
      await expect(store.add(second)).rejects.toMatchObject({ code: "STORE_FAILED" });
    }
    expect(await store.list()).toEqual([first]);
  });

  test("a revoked credential is gone, and revoking it again returns false", async () => {
    const kept = credential("tok_2");
    const store = await open(credential("tok_1"), kept);
    expect(await store.revoke("tok_1")).toBe(true);
    expect(await store.findByHash("hash of tok_1")).toBeUndefined();
    expect(await store.list()).toEqual([kept]);
    expect(await store.revoke("tok_1")).toBe(false);
  });

  test("exactly one of concurrent attempts to revoke one credential returns true", async () => {
    const store = await open(credential("tok_1"));
    const results = await Promise.all(Array.from({ length: 10 }, () => store.revoke("tok_1")));
    expect(results.filter(Boolean)).toHaveLength(1);
  });
}

function describeUse(open: Open): void {
  const lastUse = async (store: CredentialStore): Promise<number | undefined> =>
    (await store.findByHash("hash of tok_1"))?.lastUsedAtMs;

  test("the first use is stored, and every use that is a minute newer", async () => {
    const store = await open(credential("tok_1"));
    expect(await lastUse(store)).toBeUndefined();
    for (const usedAtMs of [NOW_MS, NOW_MS + MINUTE_MS, NOW_MS + 3 * MINUTE_MS]) {
      await store.touch("tok_1", usedAtMs);
      expect(await lastUse(store)).toBe(usedAtMs);
    }
  });

  test("the stored use lags behind by less than a minute and never moves back", async () => {
    const store = await open(credential("tok_1"));
    let before = -Infinity;
    for (const offsetMs of [0, 1_000, 59_999, 30_000, 61_000, 5_000, 125_000]) {
      const usedAtMs = NOW_MS + offsetMs;
      await store.touch("tok_1", usedAtMs);
      const remembered = (await lastUse(store))!;
      expect(remembered).toBeGreaterThan(usedAtMs - MINUTE_MS);
      expect(remembered).toBeGreaterThanOrEqual(before);
      before = remembered;
    }
  });

  test("the use of an unknown or revoked credential creates none", async () => {
    const store = await open(credential("tok_1"));
    await store.revoke("tok_1");
    await store.touch("tok_1", NOW_MS);
    await store.touch("tok_unknown", NOW_MS);
    expect(await store.list()).toEqual([]);
  });
}

import { expect, test } from "vitest";

import { createMemoryCredentialStore } from "../memory-store/memory-credential-store.ts";
import type { Credential } from "../ports/credential-store.ts";
import { createSequentialIds } from "../testing/sequential-ids.ts";
import { CredentialSeal } from "./credential-seal.ts";
import { Credentials } from "./credentials.ts";

const credential: Credential = {
  tokenId: "tok_1",
  tokenHash: "a".repeat(64),
  kind: "program",
  person: "Ada",
  label: "Job",
  scope: "read",
  createdAtMs: 5,
  expiresAtMs: 10,
};

test("a sealed credential is accepted, whatever its last use and the order of its fields", () => {
  const seal = new CredentialSeal(new Uint8Array(32).fill(1));
  const sealed = seal.put(credential);
  expect(seal.check(sealed)).toEqual(credential);
  const reordered = Object.fromEntries(Object.entries(sealed).toReversed()) as typeof sealed;
  expect(seal.check({ ...reordered, lastUsedAtMs: 7 })).toEqual({ ...credential, lastUsedAtMs: 7 });
});

test("any other change makes it invalid, even after it was accepted", () => {
  const seal = new CredentialSeal(new Uint8Array(32).fill(1));
  const sealed = seal.put(credential);
  expect(seal.check(sealed)).toBeDefined();
  const changes: object[] = [
    { tokenId: "tok_2" },
    { tokenHash: "b".repeat(64) },
    { kind: "device" },
    { person: "Bob" },
    { label: "Holdpoint" },
    { scope: "respond" },
    { sessionId: "ses_1" },
    { keyThumbprint: "k" },
    { createdAtMs: 6 },
    { expiresAtMs: 11 },
    { extra: true },
    { seal: "" },
    { seal: undefined },
    { seal: `${sealed.seal.slice(0, -1)}x` },
  ];
  const known = changes.filter((change) => seal.check({ ...sealed, ...change }) !== undefined);
  expect(known).toEqual([]);
  expect(new CredentialSeal(new Uint8Array(32).fill(2)).check(sealed)).toBeUndefined();
});

test("a credential sealed by another gateway is invalid, not listed, and removed", async () => {
  const store = createMemoryCredentialStore();
  const parts = { store, clock: { now: () => 0 }, ids: createSequentialIds() };
  const [own, other] = [new Credentials(parts), new Credentials(parts)];
  await own.add(credential);
  expect(await own.findByHash(credential.tokenHash)).toEqual(credential);
  expect(await other.findByHash(credential.tokenHash)).toBeUndefined();
  expect(await other.list()).toEqual([]);
  expect(await own.removeForeign()).toBe(0);
  expect(await other.removeForeign()).toBe(1);
  expect(await store.list()).toEqual([]);
});

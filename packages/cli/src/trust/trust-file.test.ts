import { createHmac, randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { TrustFile } from "./trust-file.ts";

const KEY = randomBytes(32);
const [HASH, OTHER] = ["a".repeat(64), "b".repeat(64)];

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdpoint-trust-"));
  path = join(folder, "trust.json");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const open = (key = KEY) => new TrustFile(path, key);
const entriesOf = async () =>
  JSON.parse(await readFile(path, "utf8")) as Record<string, { hash: string; signature: string }>;

test("a yes holds for that folder and content, after a restart as well", async () => {
  await open().trust("/p", HASH);
  await open().trust("/q", OTHER);
  expect(await open().isTrusted("/p", HASH)).toBe(true);
  expect(await open().isTrusted("/q", OTHER)).toBe(true);
  expect(await open().isTrusted("/p", OTHER)).toBe(false);
  expect(await open().isTrusted("/q", HASH)).toBe(false);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test("only the last yes for a folder holds", async () => {
  await open().trust("/p", HASH);
  await open().trust("/p", OTHER);
  expect(await open().isTrusted("/p", HASH)).toBe(false);
});

test("an entry that somebody else has written is none", async ({ annotate }) => {
  await open().trust("/p", HASH);
  const { "/p": good } = await entriesOf();
  const { signature } = good!;
  const sign = (key: string) =>
    createHmac("sha256", key)
      .update(JSON.stringify(["/q", HASH]))
      .digest("base64");
  const forged: unknown[] = [
    { hash: HASH },
    { hash: HASH, signature: "" },
    { hash: HASH, signature: null },
    { hash: HASH, signature },
    { hash: HASH, signature: signature.slice(4) },
    { hash: HASH, signature: sign("") },
    { hash: HASH, signature: sign("trust") },
    [HASH, signature],
    HASH,
    true,
    null,
  ];
  let tried = 0;
  for (const entry of forged) {
    await writeFile(path, JSON.stringify({ "/p": good, "/q": entry }));
    expect(await open().isTrusted("/q", HASH)).toBe(false);
    expect(await open().isTrusted("/p", HASH)).toBe(true);
    tried += 1;
  }
  expect(tried).toBe(forged.length);
  await annotate(`${tried} forged entries of trust`, "cases");
  expect(await open(randomBytes(32)).isTrusted("/p", HASH)).toBe(false);
});

test("a damaged file holds no yes, and takes the next one", async () => {
  for (const text of ["", "[]", "null", `{"/p":`, "\u0000"]) {
    await writeFile(path, text);
    expect(await open().isTrusted("/p", HASH)).toBe(false);
  }
  await open().trust("/p", HASH);
  expect(await open().isTrusted("/p", HASH)).toBe(true);
});

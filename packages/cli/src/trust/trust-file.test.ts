import { createHmac, randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
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

const yes = (hash: string, text = "", at = "/p") => ({
  folder: at,
  hash,
  files: [
    {
      name: "tools/a.mjs",
      path: `${at}/tools/a.mjs`,
      role: "tool" as const,
      bytes: Buffer.from(text),
      imports: [],
    },
  ],
});
const open = (key = KEY) => new TrustFile(path, key);
const entriesOf = async () =>
  JSON.parse(await readFile(path, "utf8")) as Record<string, { hash: string; signature: string }>;

test("a yes is valid for that folder and content, even after a restart", async () => {
  await open().trust(yes(HASH));
  await open().trust(yes(OTHER, "", "/q"));
  expect(await open().isTrusted("/p", HASH)).toBe(true);
  expect(await open().isTrusted("/q", OTHER)).toBe(true);
  expect(await open().isTrusted("/p", OTHER)).toBe(false);
  expect(await open().isTrusted("/q", HASH)).toBe(false);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test("only the last yes for a folder is valid", async () => {
  await open().trust(yes(HASH));
  await open().trust(yes(OTHER));
  expect(await open().isTrusted("/p", HASH)).toBe(false);
});

test("an entry written by someone else is ignored", async ({ annotate }) => {
  await open().trust(yes(HASH));
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

test("a damaged file holds no yes, and accepts the next one", async () => {
  for (const text of ["", "[]", "null", `{"/p":`, "\u0000"]) {
    await writeFile(path, text);
    expect(await open().isTrusted("/p", HASH)).toBe(false);
  }
  await open().trust(yes(HASH));
  expect(await open().isTrusted("/p", HASH)).toBe(true);
});

const textsOf = async (file: TrustFile, at = "/p") =>
  (await file.readTrusted(at)).map(({ bytes }) => bytes.toString());

test("the files of the last yes can be read after a restart, and no others are kept", async () => {
  await open().trust(yes(HASH, "first"));
  await open().trust(yes(OTHER, "other", "/q"));
  expect(await textsOf(open())).toEqual(["first"]);
  const third = "c".repeat(64);
  await open().trust(yes(third, "second"));
  expect(await textsOf(open())).toEqual(["second"]);
  expect(await textsOf(open(), "/q")).toEqual(["other"]);
  expect(await textsOf(open(), "/r")).toEqual([]);
  const kept = join(folder, "trusted");
  expect((await readdir(kept)).toSorted()).toEqual([OTHER, third]);
  expect((await stat(kept)).mode & 0o777).toBe(0o700);
  expect((await stat(join(kept, third))).mode & 0o777).toBe(0o600);
});

test("a secret in a trusted file is not kept as text", async () => {
  await open().trust(yes(HASH, "planted-secret"));
  const bytes = await readFile(join(folder, "trusted", HASH));
  for (const encoding of ["latin1", "utf16le"] as const) {
    expect(bytes.toString(encoding)).not.toContain("planted-secret");
  }
  expect(bytes.toString()).not.toContain(Buffer.from("planted-secret").toString("base64"));
});

test("damaged or moved content, and content of another folder or gateway, is not read", async () => {
  await open().trust(yes(HASH, "first"));
  await open().trust(yes(OTHER, "other", "/q"));
  expect(await textsOf(open(randomBytes(32)))).toEqual([]);
  const place = join(folder, "trusted", HASH);
  const good = await readFile(place);
  const flipped = Buffer.from(good);
  flipped[20]! ^= 1;
  const elsewhere = await readFile(join(folder, "trusted", OTHER));
  for (const bad of ["", "[]", good.subarray(0, 30), flipped, elsewhere]) {
    await writeFile(place, bad);
    expect(await textsOf(open())).toEqual([]);
  }
  await rm(place);
  expect(await textsOf(open())).toEqual([]);
  expect(await open().isTrusted("/p", HASH)).toBe(true);
  await writeFile(place, good);
  expect(await textsOf(open())).toEqual(["first"]);
});

test("the content of the 50 newest folders is kept", async () => {
  const hashOf = (index: number) => index.toString(16).padStart(64, "0");
  for (let index = 0; index < 52; index += 1) {
    await open().trust(yes(hashOf(index), `${index}`, `/f${index}`));
  }
  expect(await textsOf(open(), "/f1")).toEqual([]);
  expect(await textsOf(open(), "/f2")).toEqual(["2"]);
  expect(await open().isTrusted("/f1", hashOf(1))).toBe(true);
});

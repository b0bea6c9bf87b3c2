import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { sayIn } from "@holdpoint/protocol";
import { GERMAN_SAYINGS } from "@holdpoint/protocol/german";
import { afterEach, beforeEach, expect, test } from "vitest";

import { TrustFile } from "./trust-file.ts";
import { TrustedFolder } from "./trusted-folder.ts";

let root: string;
let folder: string;

const TOOL = join("tools", "greet.mjs");
const write = (answer: string) =>
  writeFile(
    join(folder, TOOL),
    `export default { name: "greet", description: "", handler: "${answer}" };`,
  );

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-snapshot-")));
  folder = join(root, "project");
  await mkdir(join(folder, "tools"), { recursive: true });
  await write("shown");
});
afterEach(() => rm(root, { recursive: true, force: true }));

function open() {
  const trusted = new TrustedFolder({
    folder,
    trustFile: new TrustFile(join(root, "trust.json"), Buffer.alloc(32, 1)),
    watched: false,
    describeConfig: () => ({ settings: [] }),
  });
  const ran: unknown[] = [];
  trusted.applyWith(async ({ importOwn }) => {
    // The last moment before the file runs.
    await write("swapped");
    ran.push(await importOwn(join(folder, TOOL)));
    return [];
  });
  const seen = async () => ({ path: folder, hash: (await trusted.read()).offer!.hash });
  return { trusted, ran, seen };
}

test("a file that is swapped between the yes and its import does not run", async () => {
  const { trusted, ran, seen } = open();
  const after = await trusted.trust(await seen());
  expect(ran).toEqual([expect.objectContaining({ handler: "shown" })]);
  expect(after.offer?.files).toMatchObject([
    { change: "changed", text: expect.stringContaining("swapped") },
  ]);
});

test("why nothing can be loaded is said in the person's language too", async () => {
  const { trusted } = open();
  const told = async () => {
    const { problem, said = {} } = await trusted.read();
    return [problem, sayIn(said["problem"] ?? [], GERMAN_SAYINGS, { tag: "de" })];
  };
  await write("x".repeat(600 * 1024));
  expect(await told()).toEqual([
    expect.stringMatching(/^The 1 file is too large to be looked through \(60\d kB\)/u),
    expect.stringMatching(/^Die 1 Datei ist zu groß, um sie durchzusehen \(60\d kB\)/u),
  ]);
  await rm(join(folder, TOOL));
  await mkdir(join(folder, TOOL));
  expect(await told()).toEqual([
    "tools/greet.mjs is not an ordinary file.",
    "tools/greet.mjs ist keine gewöhnliche Datei.",
  ]);
});

test("the same yes, twice at the same time, loads once", async () => {
  const { trusted, ran, seen } = open();
  const yes = await seen();
  const both = await Promise.allSettled([trusted.trust(yes), trusted.trust(yes)]);
  expect(ran).toHaveLength(1);
  // The second one finds what was swapped by then.
  expect(both.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
});

test("what cannot be loaded is not trusted, and what was loaded before stays", async () => {
  const { trusted, seen } = open();
  await trusted.trust(await seen());
  const before = trusted.code;
  trusted.applyWith(() => Promise.reject(new Error("no disk")));
  const { hash } = await seen();
  await expect(trusted.trust({ path: folder, hash })).rejects.toThrow("no disk");
  expect(trusted.code).toBe(before);
  expect(
    await new TrustFile(join(root, "trust.json"), Buffer.alloc(32, 1)).isTrusted(folder, hash),
  ).toBe(false);
});

test("a yes for another folder or another content is none", async () => {
  const { trusted, ran, seen } = open();
  const { hash } = await seen();
  for (const wrong of [
    { path: root, hash },
    { path: folder, hash: "0".repeat(64) },
  ]) {
    await expect(trusted.trust(wrong)).rejects.toMatchObject({ code: "DIGEST_MISMATCH" });
  }
  expect(ran).toEqual([]);
});

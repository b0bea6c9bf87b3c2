import { cp, mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type FolderOffer, sayIn } from "@holdpoint/protocol";
import { GERMAN_SAYINGS } from "@holdpoint/protocol/german";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

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

test("a loading error is also given in the person's language", async () => {
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
    "tools/greet.mjs is not a regular file.",
    "tools/greet.mjs ist keine gewöhnliche Datei.",
  ]);
});

test("the same yes, twice at the same time, loads once", async () => {
  const { trusted, ran, seen } = open();
  const yes = await seen();
  const both = await Promise.allSettled([trusted.trust(yes), trusted.trust(yes)]);
  expect(ran).toHaveLength(1);
  // The second one finds the swapped files.
  expect(both.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
});

test("files that cannot be loaded are not trusted, and the loaded ones stay", async () => {
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

test("a yes is reported only once it is stored for the next start", async () => {
  const { trusted, seen } = open();
  const file = new TrustFile(join(root, "trust.json"), Buffer.alloc(32, 1));
  const { path, hash } = await seen();
  const kept: Promise<boolean>[] = [];
  trusted.applyWith(async () => ["holdTimeoutMs"], {
    listFailed: () => [{ source: TOOL, error: "no disk" }],
    onTrusted: (snapshot) => void kept.push(file.isTrusted(snapshot.folder, snapshot.hash)),
  });
  expect(await trusted.trust({ path, hash })).toMatchObject({
    needsStart: ["holdTimeoutMs"],
    failed: [{ source: TOOL, error: "no disk" }],
  });
  expect(await Promise.all(kept)).toEqual([true]);
});

test("a yes for another folder or another content is ignored", async () => {
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

describe("after a restart", () => {
  /** Trusts the current files in a process that ends afterwards. */
  async function trustAll(): Promise<void> {
    const before = openPlain();
    if (await before.loadTrusted()) return;
    const { path, offer } = await before.read();
    await before.trust({ path, hash: offer!.hash });
  }
  function openPlain(): TrustedFolder {
    return new TrustedFolder({
      folder,
      trustFile: new TrustFile(join(root, "trust.json"), Buffer.alloc(32, 1)),
      watched: false,
      describeConfig: () => ({ settings: [] }),
    });
  }
  async function offerAgain() {
    const trusted = openPlain();
    expect(await trusted.loadTrusted()).toBe(undefined);
    const { offer, loaded } = await trusted.read();
    expect(loaded).toBe(false);
    return { offer: offer!, trusted };
  }
  const put = (name: string, text: string | Buffer) => writeFile(join(folder, name), text);
  const changes = ({ files }: FolderOffer) =>
    Object.fromEntries(files.map(({ name, change }) => [name, change]));

  test("[R-6] unchanged files are the same, changed ones show their difference, added ones are new, and removed ones are named", async () => {
    await put("tools/kept.mjs", "export const kept = 1;");
    await put("tools/gone.mjs", "export const gone = 1;");
    await put("tools/changed.mjs", "one\ntwo\nthree");
    await trustAll();
    await put("tools/changed.mjs", "one\n2\nthree");
    await put("tools/added.mjs", "export const added = 1;");
    await rm(join(folder, "tools/gone.mjs"));
    const { offer, trusted } = await offerAgain();
    expect(changes(offer)).toEqual({
      "tools/added.mjs": "new",
      "tools/changed.mjs": "changed",
      "tools/greet.mjs": "same",
      "tools/kept.mjs": "same",
    });
    expect(offer.removed).toEqual(["tools/gone.mjs"]);
    const changed = offer.files.find(({ change }) => change === "changed");
    expect(changed?.difference).toBe("@@ line 2 @@\n- two\n+ 2");
    const { path } = await trusted.read();
    expect(await trusted.trust({ path, hash: offer.hash })).not.toHaveProperty("offer");
    expect(await openPlain().loadTrusted()).toBeDefined();
  });

  test("a file that was renamed is new under its name, and gone under the other", async () => {
    await trustAll();
    await rename(join(folder, TOOL), join(folder, "tools/other.mjs"));
    const { offer } = await offerAgain();
    expect(changes(offer)).toEqual({ "tools/other.mjs": "new" });
    expect(offer.removed).toEqual([TOOL]);
  });

  test("a file that became a link to the same text is changed, and shows where it leads", async () => {
    await trustAll();
    const elsewhere = join(root, "elsewhere.mjs");
    await rename(join(folder, TOOL), elsewhere);
    await symlink(elsewhere, join(folder, TOOL));
    const { offer } = await offerAgain();
    expect(offer.files).toMatchObject([
      {
        name: TOOL,
        change: "changed",
        difference: `@@ file @@\n- tool ${join(folder, TOOL)}\n+ tool ${elsewhere}`,
      },
    ]);
  });

  test("a module that became the config file is changed", async () => {
    await put("holdpoint.config.ts", `import "./holdpoint.config.mjs";`);
    await put("holdpoint.config.mjs", "export default {};");
    await trustAll();
    await rm(join(folder, "holdpoint.config.ts"));
    const { offer } = await offerAgain();
    const config = offer.files.find(({ name }) => name === "holdpoint.config.mjs");
    expect(config).toMatchObject({ change: "changed" });
    expect(config?.difference).toMatch(/- module .*\n\+ config /u);
  });

  test("bytes that are not text, line endings and byte order marks are differences that are seen", async () => {
    const TEXT = `export default { name: "a", description: "", handler: 0 };\n`;
    const cases: [before: string | Buffer, now: string | Buffer][] = [
      [Buffer.from([0x2f, 0x2f, 0xff]), Buffer.from([0x2f, 0x2f, 0xfe])],
      [Buffer.from("// \u00e9"), Buffer.from("// \u00e9", "latin1")],
      [TEXT, TEXT.replace("\n", "\r\n")],
      [TEXT, `\ufeff${TEXT}`],
      [TEXT, TEXT.trimEnd()],
      ["// a\u202eb", "// a\u202db"],
    ];
    for (const [before, now] of cases) {
      await put("tools/odd.mjs", before);
      await trustAll();
      await put("tools/odd.mjs", now);
      const { offer } = await offerAgain();
      const odd = offer.files.find(({ name }) => name === "tools/odd.mjs");
      const lines = odd?.difference?.split("\n") ?? [];
      const shown = (sign: string) =>
        lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(2));
      expect(odd?.change).toBe("changed");
      expect(lines.length).toBeGreaterThan(1);
      expect(shown("- ")).not.toEqual(shown("+ "));
    }
  });

  test("the trusted files are known while the folder cannot be read, and after that", async () => {
    await trustAll();
    await put("tools/long.mjs", "x".repeat(600 * 1024));
    const trusted = openPlain();
    await trusted.loadTrusted();
    expect((await trusted.read()).problem).toBeDefined();
    await put("tools/long.mjs", "export default [];");
    const { offer } = await trusted.read();
    expect(changes(offer!)).toEqual({ [TOOL]: "same", "tools/long.mjs": "new" });
  });

  test("a yes in another folder does not apply to this one", async () => {
    await trustAll();
    const first = folder;
    folder = join(root, "copy");
    await cp(first, folder, { recursive: true });
    const { offer } = await offerAgain();
    expect(changes(offer)).toEqual({ [TOOL]: "new" });
  });
});

test("loaded files that were removed are asked about, and a yes unloads them", async () => {
  const { trusted, seen } = open();
  await trusted.trust(await seen());
  trusted.applyWith(async () => []);
  await rm(join(folder, "tools"), { recursive: true });
  const { offer, loaded } = await trusted.read();
  expect([loaded, offer?.files, offer?.removed]).toEqual([true, [], [TOOL]]);
  const after = await trusted.trust({ path: folder, hash: offer!.hash });
  expect(after).toMatchObject({ loaded: false });
  expect(after).not.toHaveProperty("offer");
});

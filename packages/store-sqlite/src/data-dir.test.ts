import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { prepareDataDir } from "./data-dir.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";
import { createTemporaryDir } from "./testing/temporary-dir.ts";

/** The superuser may write anywhere, so this process becomes another user for a while. */
function withoutSuperuser(): Disposable {
  const isSuperuser = process.geteuid?.() === 0;
  if (isSuperuser) process.seteuid?.("nobody");
  return {
    [Symbol.dispose]() {
      if (isSuperuser) process.seteuid?.(0);
    },
  };
}

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe.skipIf(process.platform === "win32")("the data folder", () => {
  test("is created, with its parents, for its owner only", async () => {
    const dataDir = join(createTemporaryDir(), "a", "b");
    await using _ = await openSqliteStore({ dataDir });
    expect(modeOf(dataDir)).toBe("700");
  });

  test("has no file that others can read, including SQLite's side files", async () => {
    const dataDir = createTemporaryDir();
    await using _ = await openSqliteStore({ dataDir });
    const files = readdirSync(dataDir);
    expect(files).toEqual(expect.arrayContaining(["holdpoint.db", "holdpoint.db-wal"]));
    expect(modeOf(join(dataDir, "sealed-keys"))).toBe("700");
    const own = files.filter((name) => name !== "sealed-keys");
    for (const file of own) expect([file, modeOf(join(dataDir, file))]).toEqual([file, "600"]);
  });

  test("becomes its owner's alone if it exists and is empty", () => {
    const dataDir = join(createTemporaryDir(), "empty");
    mkdirSync(dataDir);
    chmodSync(dataDir, 0o777);
    prepareDataDir(dataDir);
    expect(modeOf(dataDir)).toBe("700");
  });

  test("is closed to others if they can read its files", () => {
    const dataDir = createTemporaryDir();
    const { database } = prepareDataDir(dataDir);
    chmodSync(database, 0o644);
    prepareDataDir(dataDir);
    expect(modeOf(database)).toBe("600");
  });

  test("is refused with the way out if others can write to it", async () => {
    const dataDir = createTemporaryDir();
    writeFileSync(join(dataDir, "something"), "");
    chmodSync(dataDir, 0o777);
    await expect(openSqliteStore({ dataDir })).rejects.toMatchObject({
      code: "STORE_FAILED",
      message: expect.stringMatching(`${dataDir}.*chmod 700`),
    });
  });

  test("is refused with its name and the way out if it is a file", async () => {
    const dataDir = join(createTemporaryDir(), "file");
    writeFileSync(dataDir, "");
    await expect(openSqliteStore({ dataDir })).rejects.toMatchObject({
      name: "StoreError",
      code: "STORE_FAILED",
      message: expect.stringMatching(`${dataDir} cannot be used .EEXIST.*choose another`),
    });
  });

  test("is refused and left as it is if it holds files of another program", () => {
    const dataDir = createTemporaryDir();
    writeFileSync(join(dataDir, "something"), "");
    chmodSync(dataDir, 0o755);
    expect(() => prepareDataDir(dataDir)).toThrow(/contains other files/);
    expect([modeOf(dataDir), readdirSync(dataDir)]).toEqual(["755", ["something"]]);
  });

  test("is refused, and not created, below a folder that others can write to", () => {
    const root = createTemporaryDir();
    for (const mode of [0o777, 0o775, 0o757]) {
      const open = join(root, `open-${mode}`);
      mkdirSync(join(open, "inner"), { recursive: true });
      chmodSync(open, mode);
      for (const dataDir of [join(open, "data"), join(open, "inner/data"), join(open, "a/b")]) {
        expect(() => prepareDataDir(dataDir)).toThrow(`Other users can write to ${open}. Run`);
      }
      // By way of a link, and of a link to a link.
      const link = join(root, `link-${mode}`);
      symlinkSync(join(open, "inner"), link);
      symlinkSync(link, `${link}-again`);
      expect(() => prepareDataDir(join(`${link}-again`, "data"))).toThrow("Other users can write");
      expect(readdirSync(open)).toEqual(["inner"]);
      expect(readdirSync(join(open, "inner"))).toEqual([]);
    }
    // As in `/tmp`.
    const sticky = join(root, "sticky");
    mkdirSync(sticky);
    chmodSync(sticky, 0o1777);
    expect(existsSync(prepareDataDir(join(sticky, "data")).database)).toBe(true);
  });

  test.skipIf(process.geteuid?.() !== 0)(
    "is refused if it is another user's, below their folder, or behind their link",
    () => {
      const root = createTemporaryDir();
      const theirs = join(root, "theirs");
      mkdirSync(theirs, { mode: 0o700 });
      chownSync(theirs, 65_534, 65_534);
      mkdirSync(join(theirs, "ours"));
      mkdirSync(join(root, "ours"));
      const link = join(root, "link");
      symlinkSync(join(root, "ours"), link);
      lchownSync(link, 65_534, 65_534);
      for (const [dataDir, named] of [
        [theirs, theirs],
        [join(theirs, "ours"), theirs],
        [join(theirs, "new"), theirs],
        [link, link],
        [join(link, "new"), link],
      ] as const) {
        expect(() => prepareDataDir(dataDir)).toThrow(`${named} belongs to another user`);
      }
      expect(readdirSync(theirs)).toEqual(["ours"]);
    },
  );

  test("is accepted if it is a mount point", () => {
    const dataDir = createTemporaryDir();
    mkdirSync(join(dataDir, "lost+found"));
    expect(prepareDataDir(dataDir).path).toBe(dataDir);
  });

  test.each(["/proc/holdpoint", "/proc/holdpoint/data", "/dev/null/data"])(
    "%s is refused at once, since no one can create it",
    (dataDir) => {
      expect(() => prepareDataDir(dataDir)).toThrow(/cannot be used .(?:ENOENT|ENOTDIR)/);
    },
  );

  test("is refused if it cannot be written to", async () => {
    const dataDir = createTemporaryDir();
    writeFileSync(join(dataDir, "holdpoint.db"), "");
    chmodSync(dataDir, 0o500);
    using _ = withoutSuperuser();
    await expect(openSqliteStore({ dataDir })).rejects.toMatchObject({
      code: "STORE_FAILED",
      message: expect.stringContaining("EACCES"),
    });
  });
});

import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { inEnglish } from "@holdpoint/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";

import { refuseCwd } from "./refuse-cwd.ts";

let root: string;
let dataDir: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "holdpoint-cwd-"));
  dataDir = join(root, "data");
  await mkdir(join(dataDir, "inner"), { recursive: true });
  await mkdir(join(root, "data-of-mine"));
});
afterEach(() => rm(root, { recursive: true }));

async function whyNot(cwd: string, data: string): Promise<string> {
  return inEnglish((await refuseCwd(cwd, data)) ?? "");
}

test("a directory next to the data folder is accepted", async () => {
  await mkdir(join(root, "project"));
  expect(await refuseCwd(join(root, "project"), dataDir)).toBeUndefined();
  expect(await refuseCwd(join(root, "data-of-mine"), dataDir)).toBeUndefined();
});

test("a directory that holds the data folder is refused with the way out, even through links", async () => {
  const outside = await mkdtemp(join(tmpdir(), "holdpoint-cwd-"));
  await symlink(root, join(outside, "link"));
  await symlink(dataDir, join(outside, "data"));
  for (const cwd of [root, tmpdir(), "/", join(outside, "link")]) {
    for (const named of [dataDir, join(outside, "data")]) {
      expect(await whyNot(cwd, named)).toMatch(/lies inside.*project.*--data-dir/u);
    }
  }
  await rm(outside, { recursive: true });
});

test("the data folder and its subfolders are refused, even through links", async () => {
  await symlink(join(dataDir, "inner"), join(root, "link"));
  await mkdir(join(dataDir, "..inner"));
  for (const cwd of [
    dataDir,
    join(dataDir, "inner"),
    join(dataDir, "..inner"),
    join(root, "x/../data"),
    join(root, "link"),
  ]) {
    expect(await whyNot(cwd, dataDir)).toMatch(/data folder|no such/);
  }
  expect(await whyNot(join(root, "link"), dataDir)).toContain("data folder");
});

test("a directory that cannot be read is refused", async () => {
  await mkdir(join(root, "closed"));
  await chmod(join(root, "closed"), 0o000);
  await chmod(root, 0o755);
  // The superuser may read anything, so this process becomes another user for a while.
  const isSuperuser = process.geteuid?.() === 0;
  if (isSuperuser) process.seteuid?.("nobody");
  try {
    expect(await whyNot(join(root, "closed"), dataDir)).toContain("cannot be read");
  } finally {
    if (isSuperuser) process.seteuid?.(0);
  }
});

test("a path that is not a directory is refused", async () => {
  await writeFile(join(root, "file"), "");
  expect(await whyNot(join(root, "file"), dataDir)).toContain("does not exist");
  expect(await whyNot(join(root, "gone"), dataDir)).toContain("does not exist");
  expect(await whyNot("relative", dataDir)).toContain("absolute");
});

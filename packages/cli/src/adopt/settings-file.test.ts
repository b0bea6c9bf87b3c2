import { lstat, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { beforeEach, expect, onTestFinished, test } from "vitest";

import { UsageError } from "../usage-error.ts";
import { readSettingsFile, toText, writeText } from "./settings-file.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "settings-"));
  onTestFinished(() => rm(folder, { recursive: true }));
});

test("a link stays a link, and the file behind it is changed with its mode", async () => {
  const real = join(folder, "real.json");
  const link = join(folder, "settings.json");
  await writeFile(real, "{}", { mode: 0o640 });
  await symlink(real, link);
  const { path } = await readSettingsFile(link);
  await writeText(path, '{"a":1}');
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
  expect(await readFile(real, "utf8")).toBe('{"a":1}');
  expect((await stat(real)).mode & 0o777).toBe(0o640);
});

test("a link of a project that leads out of it is refused", async () => {
  const project = join(folder, "project");
  await mkdir(project);
  await writeFile(join(folder, "secrets.json"), "{}");
  for (const target of ["../secrets.json", join(folder, "secrets.json"), "../nothing.json"]) {
    const link = join(project, "settings.local.json");
    await symlink(target, link);
    await expect(readSettingsFile(link, project)).rejects.toThrow(UsageError);
    await rm(link);
  }
});

test.each([
  ["// mine\n{}", "comments"],
  ["[]", "not a JSON object"],
  ["{", "not plain JSON"],
  [Buffer.from([0xff, 0xfe]), "cannot be read"],
])("a file that could not be written back is refused: %j", async (content, problem) => {
  const path = join(folder, "settings.json");
  await writeFile(path, content);
  await expect(readSettingsFile(path)).rejects.toThrow(problem);
});

test("a new file is for its owner alone, and the indentation of an old one stays", async () => {
  const path = join(folder, ".claude", "settings.json");
  await writeText(path, "{}");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(toText({ a: 1 }, '{\n\t"b": 2\n}')).toBe('{\n\t"a": 1\n}');
});

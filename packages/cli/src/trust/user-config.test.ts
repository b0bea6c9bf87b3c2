import { chmod, chown, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { UsageError } from "../usage-error.ts";
import { readUserConfig } from "./user-config.ts";

let home: string;
let path: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "holdpoint-home-"));
  path = join(home, "config/holdpoint/config.json");
  await mkdir(dirname(path), { recursive: true, mode: 0o755 });
  await writeFile(path, `{"port": 5000}`, { mode: 0o644 });
});
afterEach(() => rm(home, { recursive: true, force: true }));

test("is read if it exists, and sets nothing otherwise", async () => {
  expect(await readUserConfig(path)).toEqual({ port: 5000 });
  expect(await readUserConfig(join(home, "gone/config.json"))).toBeUndefined();
});

test("is refused in one line when it is not JSON", async () => {
  await writeFile(path, "port: 5000");
  await expect(readUserConfig(path)).rejects.toThrow(UsageError);
});

const NOBODY = 65_534;

describe.skipIf(process.platform === "win32")("is not used", () => {
  test.each([
    ["the file", "."],
    ["its folder", ".."],
    ["a folder above", "../.."],
  ])("if others can write to %s", async (_, way) => {
    for (const mode of [0o777, 0o775, 0o757]) {
      await chmod(join(path, way), mode);
      await expect(readUserConfig(path)).rejects.toThrow(/other users can write to .*chmod go-w/);
    }
  });

  test("if a link to it lies in, or leads to, a folder that others can write to", async () => {
    const open = join(home, "open");
    await mkdir(open);
    await writeFile(join(open, "config.json"), "{}");
    await chmod(open, 0o777);
    await symlink(path, join(open, "link.json"));
    await rm(path);
    await symlink(join(open, "config.json"), path);
    await expect(readUserConfig(path)).rejects.toThrow("other users can write");
    await expect(readUserConfig(join(open, "link.json"))).rejects.toThrow("other users can write");
  });

  test.runIf(process.geteuid?.() === 0)("if it belongs to another user", async () => {
    for (const way of [".", "..", "../.."]) {
      await chown(join(path, way), NOBODY, NOBODY);
      await expect(readUserConfig(path)).rejects.toThrow("belongs to another user");
      await chown(join(path, way), 0, 0);
    }
    expect(await readUserConfig(path)).toEqual({ port: 5000 });
  });
});

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { createFileLister, FILE_LIMITS } from "./list-files.ts";

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-files-")));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(...paths: string[]): Promise<void> {
  for (const path of paths) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), path);
  }
}

const git = (...args: string[]) => execFileSync("git", ["-C", join(folder, "work"), ...args]);
const list = async (limits = FILE_LIMITS as Parameters<typeof createFileLister>[1]) => {
  const { paths, isPartial } = await createFileLister(() => 0, limits)(join(folder, "work"));
  return { paths: paths.toSorted(), isPartial };
};

describe.each(["with git", "without git"])("the files of a directory %s", (how) => {
  const isRepository = how === "with git";

  test("are its own: nothing outside, nothing behind a link, nothing that is ignored or hidden", async () => {
    await write("outside/secret.txt", "work/a.txt", "work/src/b c.txt", "work/node_modules/x/i.js");
    await write("work/.git-not/hidden.txt", "work/ignored.log");
    await symlink(join(folder, "outside"), join(folder, "work/link"));
    if (isRepository) git("init", "-q");
    await writeFile(join(folder, "work/.gitignore"), "*.log\nnode_modules\n.git-not\nlink\n");
    const more = isRepository ? [".gitignore"] : ["ignored.log"];
    const expected = ["a.txt", "src/b c.txt", ...more].toSorted();
    expect((await list()).paths).toEqual(expected);
  });

  test("are no more than the limit, and the list says so", async () => {
    await write(...Array.from({ length: 30 }, (_, index) => `work/file-${index}.txt`));
    if (isRepository) git("init", "-q");
    const { paths, isPartial } = await list({ ...FILE_LIMITS, count: 10 });
    expect(paths).toHaveLength(10);
    expect(isPartial).toBe(true);
    expect((await list()).isPartial).toBeUndefined();
  });

  test("have none, and no fault, where the directory is gone", async () => {
    expect((await list()).paths).toEqual([]);
  });
});

test("a repository around the directory, and links in it, lead nowhere else", async () => {
  await write("work/sub/a.txt", "work/other/b.txt");
  git("init", "-q");
  await symlink("../other", join(folder, "work/sub/link"));
  const { paths } = await createFileLister(() => 0)(join(folder, "work/sub"));
  // The link itself, and nothing behind it.
  expect(paths.toSorted()).toEqual(["a.txt", "link"]);
});

test("a program that a repository names is not run", async () => {
  await write("work/a.txt");
  git("init", "-q");
  const program = join(folder, "program.sh");
  await writeFile(program, `#!/bin/sh\ntouch "${join(folder, "ran")}"\n`);
  await chmod(program, 0o700);
  git("config", "core.fsmonitor", program);
  expect((await list()).paths).toEqual(["a.txt"]);
  expect(existsSync(join(folder, "ran"))).toBe(false);
});

test("folders that are too deep are left out, and the list says so", async () => {
  await write("work/1/2/3/deep.txt", "work/near.txt");
  expect(await list({ ...FILE_LIMITS, depth: 2 })).toEqual({
    paths: ["near.txt"],
    isPartial: true,
  });
});

test("a list is kept for some seconds", async () => {
  await write("work/a.txt");
  let now = 0;
  const lister = createFileLister(() => now);
  const read = async () => (await lister(join(folder, "work"))).paths;
  expect(await read()).toEqual(["a.txt"]);
  await write("work/b.txt");
  expect(await read()).toEqual(["a.txt"]);
  now = 10_001;
  expect((await read()).toSorted()).toEqual(["a.txt", "b.txt"]);
});

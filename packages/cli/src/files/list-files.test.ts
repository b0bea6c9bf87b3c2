import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { createFileLister } from "./list-files.ts";
import { FILE_LIMITS } from "./walk-files.ts";

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

const git = (...args: string[]) =>
  execFileSync("git", ["-C", join(folder, "work"), ...args], { stdio: "pipe" });
const list = async (limits = FILE_LIMITS as Parameters<typeof createFileLister>[1]) => {
  const { paths, isPartial } = await createFileLister(() => 0, limits)(join(folder, "work"));
  return { paths: paths.toSorted(), isPartial };
};

describe.each(["in a repository", "outside"])("the files of a directory %s", (how) => {
  const isRepository = how === "in a repository";

  test("exclude everything outside, behind a link, or ignored", async () => {
    await write("outside/secret.txt", "work/a.txt", "work/src/b c.txt", "work/node_modules/x/i.js");
    await write("work/.git-not/hidden.txt", "work/ignored.log");
    await symlink(join(folder, "outside"), join(folder, "work/link"));
    if (isRepository) git("init", "-q");
    await writeFile(join(folder, "work/.gitignore"), "*.log\nnode_modules\n.git-not\nlink\n");
    const more = isRepository ? [".gitignore"] : []; // hidden files only in a repository
    const expected = ["a.txt", "src/b c.txt", ...more].toSorted();
    expect((await list()).paths).toEqual(expected);
  });

  test("are cut at the limit, and the list is marked as partial", async () => {
    await write(...Array.from({ length: 30 }, (_, index) => `work/file-${index}.txt`));
    if (isRepository) git("init", "-q");
    const { paths, isPartial } = await list({ ...FILE_LIMITS, count: 10 });
    expect(paths).toHaveLength(10);
    expect(isPartial).toBe(true);
    expect((await list()).isPartial).toBeUndefined();
  });

  test("are none, without an error, if the directory is gone", async () => {
    expect((await list()).paths).toEqual([]);
  });
});

test("a repository around the directory, and links in it, lead nowhere else", async () => {
  await write("work/sub/a.txt", "work/other/b.txt");
  git("init", "-q");
  await symlink("../other", join(folder, "work/sub/link"));
  const { paths } = await createFileLister(() => 0)(join(folder, "work/sub"));
  // The link itself, but nothing behind it.
  expect(paths.toSorted()).toEqual(["a.txt", "link"]);
});

test("links are left out when there is no repository", async () => {
  await write("work/a.txt", "outside/secret.txt");
  await symlink(join(folder, "outside"), join(folder, "work/link"));
  await symlink("a.txt", join(folder, "work/b.txt"));
  expect((await list()).paths).toEqual(["a.txt"]);
});

test("the rules of a repository exclude the same files as in git", async () => {
  const names = ["a.txt", "b.log", "dir/c.log", "dir/keep.log", "dir/in/d.txt", "build/e.txt"];
  names.push("src/build/f.txt", "x/y/z/g.txt", "docs/h.md", "docs/deep/i.md", "abc", "abd", "a-c");
  names.push(
    "#hash",
    "!bang",
    "blank ",
    "sp ace",
    "Ünï.txt",
    "dir/.hidden",
    "q?.txt",
    "[odd]",
    "v1.2",
  );
  await write(...names.map((name) => `work/${name}`));
  git("init", "-q");
  await writeFile(join(folder, "work/dir/.gitignore"), "!keep.log\n/in\n");
  await writeFile(join(folder, "work/.git/info/exclude"), "v*\n");
  const untracked = () =>
    String(git("ls-files", "-z", "--others", "--exclude-standard"))
      .split("\0")
      .filter(Boolean);
  for (const rules of [
    "*.log",
    "build/",
    "/build",
    "dir/*\n!dir/in",
    "**/build",
    "x/**/g.txt",
    "x/**",
    "docs/**/*.md",
    "ab[cd]\n!abd",
    "ab[!c]",
    "a[a-z,-]c",
    "\\#hash\n\\!bang",
    "# hash\n#hash",
    "blank\\ \nsp ace   ",
    "a.txt\r",
    "*nï.*",
    "q[?].txt\n[[]odd]",
    "q\\?.txt",
    "*",
    "*\n!*/\n!*.md",
    "[",
    "a\\",
    "dir/in/",
    "**",
    "/",
    "!",
    "",
  ]) {
    await writeFile(join(folder, "work/.gitignore"), rules);
    expect([rules, (await list()).paths]).toEqual([rules, untracked().toSorted()]);
  }
});

test("the rules of parent folders apply in a directory, up to the root of its repository", async () => {
  await write("work/sub/a.txt", "work/sub/b.log", "work/sub/c.tmp", "work/sub/deep/d.txt");
  git("init", "-q");
  await writeFile(join(folder, ".gitignore"), "*.txt\n");
  await writeFile(join(folder, "work/.gitignore"), "*.log\n/sub/*.tmp\n/sub/deep\n");
  const { paths } = await createFileLister(() => 0)(join(folder, "work/sub"));
  expect(paths).toEqual(["a.txt"]);
});

/** Programs that a repository can make git run when it only lists files. */
const PROGRAMS: readonly (readonly [string, (program: string) => Promise<void>])[] = [
  ["a watcher", async (program) => void git("config", "core.fsmonitor", program)],
  ["a hook", async (program) => rename(program, join(folder, "work/.git/hooks/post-index-change"))],
  ["the upload pack of a missing object", (program) => fetchIgnoreFile("uploadpack", program)],
  [
    "the ssh of a missing object",
    (program) => fetchIgnoreFile("url", "ssh://a.invalid/x", program),
  ],
  ["the helper of a missing object", (program) => fetchIgnoreFile("url", `ext::${program}`)],
];

/** Makes git read this file from the objects, and fetch the object when it is missing. */
async function fetchIgnoreFile(key: string, value: string, ssh?: string): Promise<void> {
  await writeFile(join(folder, "work/.gitignore"), "*.log\n");
  git("add", ".gitignore");
  const object = String(git("rev-parse", ":.gitignore")).trim();
  git("update-index", "--skip-worktree", ".gitignore");
  await rm(join(folder, "work/.gitignore"));
  await rm(join(folder, "work/.git/objects", object.slice(0, 2), object.slice(2)));
  git("config", "core.repositoryformatversion", "1");
  git("config", "extensions.partialClone", "origin");
  git("config", "protocol.ext.allow", "always");
  git("config", "remote.origin.promisor", "true");
  git("config", "remote.origin.url", "./elsewhere");
  git("config", `remote.origin.${key}`, value);
  if (ssh !== undefined) git("config", "core.sshCommand", ssh);
}

test.for(PROGRAMS)("[R-5] a program that a repository names is not run: %s", async ([, plant]) => {
  await write("work/a.txt");
  git("init", "-q");
  const program = join(folder, "program.sh");
  await writeFile(program, `#!/bin/sh\ntouch "${join(folder, "ran")}"\n`);
  await chmod(program, 0o700);
  await plant(program);
  expect((await list()).paths).toContain("a.txt");
  expect(existsSync(join(folder, "ran"))).toBe(false);
});

test("no file of rules slows the gateway down, or leads it elsewhere", async () => {
  const names = Array.from({ length: 300 }, (_, index) => `${"a".repeat(200)}${index}`);
  await write(...names.map((name) => `work/dir/${name}`), "outside.txt");
  git("init", "-q");
  const bomb = Array.from({ length: 200 }, () => `${"*a".repeat(100)}b`).join("\n");
  await writeFile(join(folder, "work/.gitignore"), bomb);
  await writeFile(join(folder, "work/dir/.gitignore"), bomb);
  execFileSync("mkfifo", [join(folder, "fifo")]);
  await mkdir(join(folder, "work/pipe"));
  await rename(join(folder, "fifo"), join(folder, "work/pipe/.gitignore"));
  await mkdir(join(folder, "work/linked"));
  await writeFile(join(folder, "outside.txt"), "*\n");
  await symlink(join(folder, "outside.txt"), join(folder, "work/linked/.gitignore"));
  await write("work/linked/b.txt");
  let longestMs = 0;
  let lastMs = performance.now();
  const timer = setInterval(() => {
    longestMs = Math.max(longestMs, performance.now() - lastMs);
    lastMs = performance.now();
  }, 1);
  const { paths, isPartial } = await list();
  clearInterval(timer);
  // The time may end before the list; in either case others had their turns.
  expect(isPartial === true || paths.includes("linked/b.txt")).toBe(true);
  expect(longestMs).toBeLessThan(1000);
});

test("folders that are too deep are left out, and the list is marked as partial", async () => {
  await write("work/1/2/3/deep.txt", "work/near.txt");
  expect(await list({ ...FILE_LIMITS, depth: 2 })).toEqual({
    paths: ["near.txt"],
    isPartial: true,
  });
});

test("a list is cached for some seconds", async () => {
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

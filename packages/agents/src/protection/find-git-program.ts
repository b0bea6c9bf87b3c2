import { constants } from "node:fs";
import { lstat, open, readdir, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

import { findHook } from "./find-hook.ts";
import { readGitLinks } from "./git-links.ts";
import { type GitSettings, readGitSettings } from "./git-settings.ts";
import { toPlainName } from "./plain-name.ts";

/** For larger files a person is asked, without reading them. */
const MAX_BYTES = 256 * 1024;
const MAX_INDEX_BYTES = 64 * 1024 * 1024;
/** Limits on nested repositories: how many are checked, and how deep. */
const MAX_LINKS = 200;
const MAX_DEPTH = 4;

/** Whether git only reads in the folder, or also changes the checkout, which runs more hooks. */
export type GitUse = "reads" | "writes";

/**
 * The part of a repository's own settings that could run a program, in a few words: the name of a setting or hook, or
 * an unusual construct that git may read differently. Checks the repository that git would use in the folder, and the
 * repositories within it. `undefined`: nothing was found, or there is no repository.
 */
export async function findGitProgram(
  folder: string,
  use: GitUse = "reads",
): Promise<string | undefined> {
  for (let at = folder, last = ""; at !== last; last = at, at = dirname(at)) {
    const found = (await lookAtFolder(at, { use, depth: 0 })) ?? (await lookInside(at, use));
    if (found !== undefined) return found;
  }
  return undefined;
}

interface Look {
  readonly use: GitUse;
  readonly depth: number;
}

interface Repository {
  /** Its `.git`, or the target of that. */
  readonly folder: string;
  readonly worktree: string;
}

/**
 * Checks the repository whose worktree is this folder. The caller also checks all folders above, since git skips a
 * repository that it considers broken.
 */
async function lookAtFolder(worktree: string, look: Look): Promise<string | undefined> {
  const path = join(worktree, ".git");
  const entry = await stat(path).catch((error: unknown) => String(codeOf(error)));
  if (entry === "ENOENT" || entry === "ENOTDIR") return undefined;
  if (typeof entry === "string") return "its .git, which cannot be read";
  if (entry.isDirectory()) return lookAtRepository({ folder: path, worktree }, look);
  const named = await readName(path, "gitdir: ");
  if (named === undefined) return "its file .git, which is unusual";
  return lookAtRepository({ folder: resolve(worktree, named), worktree }, look);
}

/** Checks the folder as the inside of a repository. */
async function lookInside(folder: string, use: GitUse): Promise<string | undefined> {
  const [hasHead, ...others] = await Promise.all(
    ["HEAD", "objects", "commondir"].map((name) => exists(join(folder, name))),
  );
  if (!hasHead || !others.some(Boolean)) return undefined;
  return lookAtRepository({ folder, worktree: folder }, { use, depth: 0 });
}

async function lookAtRepository(repository: Repository, look: Look): Promise<string | undefined> {
  const { folder } = repository;
  let { worktree } = repository;
  // An additional worktree shares the settings of the main one.
  const commonPath = join(folder, "commondir");
  const named = (await exists(commonPath)) ? await readName(commonPath, "") : ".";
  if (named === undefined) return "its file commondir, which is unusual";
  const common = resolve(folder, named);
  const hooks = [join(common, "hooks")];
  for (const path of [join(common, "config"), join(folder, "config.worktree")]) {
    const settings = await readSettings(path);
    if (settings.program !== undefined) return settings.program;
    if (settings.worktree !== undefined) worktree = resolve(folder, settings.worktree);
    hooks.push(...settings.hooks.map((each) => resolve(worktree, each)));
  }
  for (const path of hooks) {
    const hook = await findHook(path, look.use);
    if (hook !== undefined) return hook;
  }
  return lookWithin({ folder, worktree }, look);
}

/** Checks nested repositories, which git looks into as well. */
async function lookWithin(
  { folder, worktree }: Repository,
  { use, depth }: Look,
): Promise<string | undefined> {
  const names: readonly string[] = await readdir(folder).catch(() => []);
  if (!names.includes("index")) return undefined;
  const index = await readBytes(join(folder, "index"), MAX_INDEX_BYTES);
  const links = index && readGitLinks(index);
  const isSplit = names.some((name) => name.startsWith("sharedindex."));
  if (links === undefined || isSplit) return "its index, which cannot be read";
  if (links.length > MAX_LINKS) return "more submodules than can be looked at";
  for (const link of links) {
    const name = toPlainName(link);
    if (name === undefined) return "a submodule with an unusual name";
    const inner = resolve(worktree, name);
    if (depth < MAX_DEPTH) {
      const found = await lookAtFolder(inner, { use, depth: depth + 1 });
      if (found !== undefined) return found;
    } else if (await exists(join(inner, ".git"))) return "submodules that lie too deep";
  }
  return undefined;
}

async function readSettings(path: string): Promise<GitSettings> {
  if (!(await exists(path))) return { hooks: [] };
  const bytes = await readBytes(path, MAX_BYTES);
  if (bytes !== undefined) return readGitSettings(bytes);
  return { program: `its file ${basename(path)}, which cannot be read`, hooks: [] };
}

/** The name in one of git's files, without the trailing line feeds. `undefined`: it is not plain. */
async function readName(path: string, start: string): Promise<string | undefined> {
  const bytes = await readBytes(path, MAX_BYTES);
  if (bytes === undefined || !bytes.subarray(0, start.length).equals(Buffer.from(start))) {
    return undefined;
  }
  let end = bytes.length;
  while (bytes[end - 1] === 0x0a || bytes[end - 1] === 0x0d) end -= 1;
  return toPlainName(bytes.subarray(start.length, end));
}

/** `undefined` for a file that is not regular, unreadable or too long. */
async function readBytes(path: string, limit: number): Promise<Buffer | undefined> {
  try {
    await using file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const entry = await file.stat();
    return entry.isFile() && entry.size <= limit ? await file.readFile() : undefined;
  } catch {
    return undefined; // the caller decides
  }
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

function codeOf(error: unknown): unknown {
  return (error as NodeJS.ErrnoException).code;
}

import { constants } from "node:fs";
import { lstat, open, readdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

import { readGitLinks } from "./git-links.ts";
import { type GitSettings, readGitSettings } from "./git-settings.ts";

/** Longer ones are asked about, unread. */
const MAX_BYTES = 256 * 1024;
const MAX_INDEX_BYTES = 64 * 1024 * 1024;
/** So many repositories within one are looked at, and so deep. */
const MAX_LINKS = 200;
const MAX_DEPTH = 4;
/** The only hook that commands run which are taken for reading. */
const READING_HOOK = "post-index-change";

/**
 * What of a repository's own settings could run a program when git only reads, in a few words: the name of a setting or
 * of a hook. Looks at the repository that git would use in the folder, and at the repositories within it. `undefined`:
 * nothing, or there is no repository.
 */
export async function findGitProgram(folder: string): Promise<string | undefined> {
  for (const repository of await findRepositories(folder)) {
    const found = await lookAtRepository(repository, 0);
    if (found !== undefined) return found;
  }
  return undefined;
}

interface Repository {
  /** Its `.git`, or where that leads. */
  readonly folder: string;
  readonly worktree: string;
}

async function lookAtRepository(
  repository: Repository,
  depth: number,
): Promise<string | undefined> {
  const { folder } = repository;
  let { worktree } = repository;
  const common = await readCommon(folder);
  const hooks = [join(common, "hooks")];
  for (const path of [join(common, "config"), join(folder, "config.worktree")]) {
    const settings = await readSettings(path);
    if (settings.program !== undefined) return settings.program;
    if (settings.worktree !== undefined) worktree = resolve(folder, settings.worktree);
    hooks.push(...settings.hooks.map((named) => resolve(worktree, named)));
  }
  for (const path of hooks) {
    if (await exists(join(path, READING_HOOK))) return `its hook ${READING_HOOK}`;
  }
  return lookWithin({ folder, worktree }, depth);
}

/** Git looks into the repositories within one as well. */
async function lookWithin(
  { folder, worktree }: Repository,
  depth: number,
): Promise<string | undefined> {
  const names: readonly string[] = await readdir(folder).catch(() => []);
  if (!names.includes("index")) return undefined;
  const index = await readBytes(join(folder, "index"), MAX_INDEX_BYTES);
  const links = index && readGitLinks(index);
  const isSplit = names.some((name) => name.startsWith("sharedindex."));
  if (links === undefined || isSplit) return "its index, which cannot be read";
  if (links.length > MAX_LINKS) return "more submodules than can be looked at";
  for (const link of links) {
    const inner = await readRepository(resolve(worktree, link));
    if (inner === undefined) continue;
    if (depth === MAX_DEPTH) return "submodules that lie too deep";
    const found = await lookAtRepository(inner, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function readSettings(path: string): Promise<GitSettings> {
  if (!(await exists(path))) return { hooks: [] };
  const text = (await readBytes(path, MAX_BYTES))?.toString();
  if (text !== undefined) return readGitSettings(text);
  return { program: `its file ${basename(path)}, which cannot be read`, hooks: [] };
}

/**
 * The repositories of a folder and of all above it, and each folder that is the inside of one: git passes over a
 * repository that it takes for broken.
 */
async function findRepositories(folder: string): Promise<Repository[]> {
  const found: Repository[] = [];
  for (let at = folder, last = ""; at !== last; last = at, at = dirname(at)) {
    const repository = await readRepository(at);
    if (repository) found.push(repository);
    const isInside = (await exists(join(at, "HEAD"))) && (await exists(join(at, "objects")));
    if (isInside) found.push({ folder: at, worktree: at });
  }
  return found;
}

/** The repository whose files lie in the folder. */
async function readRepository(worktree: string): Promise<Repository | undefined> {
  const path = join(worktree, ".git");
  if (!(await exists(path))) return undefined;
  const text = (await readBytes(path, MAX_BYTES))?.toString() ?? "";
  const [, named] = /^gitdir: (.+?)\s*$/.exec(text) ?? [];
  return { folder: named === undefined ? path : resolve(worktree, named), worktree };
}

/** A worktree beside the first one shares the settings of that. */
async function readCommon(folder: string): Promise<string> {
  const named = (await readBytes(join(folder, "commondir"), MAX_BYTES))?.toString().trim();
  return named ? resolve(folder, named) : folder;
}

/** `undefined` for what is no ordinary file, cannot be read, or is too long. */
async function readBytes(path: string, limit: number): Promise<Buffer | undefined> {
  try {
    await using file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const entry = await file.stat();
    return entry.isFile() && entry.size <= limit ? await file.readFile() : undefined;
  } catch {
    return undefined; // who asked knows what that means
  }
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

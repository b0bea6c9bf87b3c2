import { constants, type Dirent } from "node:fs";
import { lstat, open, opendir } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { setImmediate } from "node:timers/promises";

import type { FileListing } from "@holdpoint/engine";

import { type IgnoreRules, readIgnoreRules } from "./ignore-rules.ts";

export const FILE_LIMITS = { count: 20_000, depth: 16, timeMs: 2000 } as const;
export type FileLimits = { readonly [TKey in keyof typeof FILE_LIMITS]: number };

/**
 * Folders that are skipped outside of repositories, because people rarely look for files in them. Repositories have
 * their own rules.
 */
const LEFT_OUT: ReadonlySet<string> = new Set(["node_modules", "__pycache__", "target", "vendor"]);
/**
 * Limit on the total size of the ignore files that apply to one folder. Further ones are skipped, since each name is
 * matched against all of them.
 */
const MAX_RULES_BYTES = 64 * 1024;
/** After this time the walk yields to other work. */
const PIECE_MS = 5;

interface Folder {
  /** The parts of its path, relative to the directory. */
  readonly parts: readonly string[];
  /** The ignore rules that apply to the folder, outermost first. */
  readonly rules: readonly PlacedRules[];
}

interface PlacedRules {
  readonly isIgnored: IgnoreRules;
  /** The path from the rules' folder to the directory. */
  readonly way: readonly string[];
  /** How many parts of a path, relative to the directory, lead to the rules' folder. */
  readonly depth: number;
  readonly byteCount: number;
}

/**
 * The files of a directory and its subfolders, nearest first. Skips files ignored by its `.gitignore` files and,
 * outside of a repository, hidden files and links. Follows no link and runs no program: git would run programs named by a
 * repository.
 */
export async function walkFiles(
  cwd: string,
  { count, depth, timeMs }: FileLimits,
): Promise<FileListing> {
  const { isRepository, rules } = await readScene(cwd);
  const pace = new Pace(timeMs);
  const paths: string[] = [];
  const folders: Folder[] = [{ parts: [], rules }];
  const isFull = () => paths.length >= count || folders.length > count || pace.isOver();
  let isPartial = false;
  for (const folder of folders) {
    if (folder.parts.length > depth || pace.isOver()) {
      isPartial = true;
      continue;
    }
    const own = await readRulesIn(join(cwd, ...folder.parts), { depth: folder.parts.length });
    const within = withinLimit([...folder.rules, ...own]);
    for await (const entry of entriesOf(join(cwd, ...folder.parts))) {
      await pace.keep();
      if (isFull()) return { paths, isPartial: true };
      const parts = [...folder.parts, entry.name];
      const kind = isLeftOut(entry, isRepository) ? "other" : kindOf(entry);
      if (kind === "other" || isIgnored(parts, entry, within)) continue;
      if (kind === "folder") folders.push({ parts, rules: within });
      else paths.push(parts.join("/"));
    }
  }
  return { paths, ...(isPartial && { isPartial: true as const }) };
}

function kindOf(entry: Dirent): "folder" | "file" | "other" {
  if (entry.isDirectory()) return "folder";
  return entry.isFile() || entry.isSymbolicLink() ? "file" : "other";
}

function isLeftOut(entry: Dirent, isRepository: boolean): boolean {
  if (isRepository) return entry.name === ".git";
  const isSkipped = entry.isSymbolicLink() || (entry.isDirectory() && LEFT_OUT.has(entry.name));
  return isSkipped || entry.name.startsWith(".");
}

/** Whether the innermost rules that match the path ignore it. */
function isIgnored(
  parts: readonly string[],
  entry: Dirent,
  rules: readonly PlacedRules[],
): boolean {
  for (const { isIgnored: matches, way, depth } of rules.toReversed()) {
    const said = matches([...way, ...parts.slice(depth)], entry.isDirectory());
    if (said !== undefined) return said;
  }
  return false;
}

/**
 * Whether the directory is in a repository, with the ignore rules of the folders around it, up to the repository's
 * root.
 */
async function readScene(
  cwd: string,
): Promise<{ readonly isRepository: boolean; readonly rules: readonly PlacedRules[] }> {
  const rules: PlacedRules[] = [];
  for (let at = cwd, last = ""; at !== last; last = at, at = dirname(at)) {
    const way = relative(at, cwd).split(sep).filter(Boolean);
    if (at !== cwd) rules.unshift(...(await readRulesIn(at, { way })));
    if (!(await exists(join(at, ".git")))) continue;
    rules.unshift(...(await readRulesIn(join(at, ".git", "info"), { name: "exclude", way })));
    return { isRepository: true, rules: withinLimit(rules) };
  }
  return { isRepository: false, rules: [] };
}

async function readRulesIn(
  folder: string,
  {
    name = ".gitignore",
    way = [],
    depth = 0,
  }: { readonly name?: string; readonly way?: readonly string[]; readonly depth?: number },
): Promise<PlacedRules[]> {
  try {
    const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
    await using file = await open(join(folder, name), flags);
    const entry = await file.stat();
    if (!entry.isFile() || entry.size > MAX_RULES_BYTES) return [];
    return [
      {
        isIgnored: readIgnoreRules(await file.readFile("utf8")),
        way,
        depth,
        byteCount: entry.size,
      },
    ];
  } catch {
    return []; // missing or unreadable
  }
}

function withinLimit(rules: readonly PlacedRules[]): PlacedRules[] {
  let left = MAX_RULES_BYTES;
  return rules.filter(({ byteCount }) => (left -= byteCount) >= 0);
}

async function* entriesOf(folder: string) {
  try {
    yield* await opendir(folder);
  } catch {
    // Gone or unreadable: the other folders are still listed.
  }
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Limits the time of the work, and yields to the gateway's other work. */
class Pace {
  readonly #endMs: number;
  #pieceEndMs = performance.now() + PIECE_MS;

  constructor(timeMs: number) {
    this.#endMs = performance.now() + timeMs;
  }

  isOver(): boolean {
    return performance.now() > this.#endMs;
  }

  async keep(): Promise<void> {
    if (performance.now() < this.#pieceEndMs) return;
    await setImmediate();
    this.#pieceEndMs = performance.now() + PIECE_MS;
  }
}

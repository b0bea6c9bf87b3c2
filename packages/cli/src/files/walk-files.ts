import { constants, type Dirent } from "node:fs";
import { lstat, open, opendir } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { setImmediate } from "node:timers/promises";

import type { FileListing } from "@holdpoint/engine";

import { type IgnoreRules, readIgnoreRules } from "./ignore-rules.ts";
import type { FileLimits } from "./list-files.ts";

/** Folders in which nobody looks for a file by its name. In a repository its own rules say so. */
const LEFT_OUT: ReadonlySet<string> = new Set(["node_modules", "__pycache__", "target", "vendor"]);
/** The files of rules that hold for one folder have no more together. Others are not read: each name is matched with all. */
const MAX_RULES_BYTES = 64 * 1024;
/** After so long at a time the gateway does something else. */
const PIECE_MS = 5;

interface Folder {
  /** Its parts, from the directory. */
  readonly parts: readonly string[];
  /** What says which files to leave out, from the outermost folder. */
  readonly rules: readonly PlacedRules[];
}

interface PlacedRules {
  readonly isIgnored: IgnoreRules;
  /** The way from the folder of the rules to the directory. */
  readonly way: readonly string[];
  /** How many parts of a path, from the directory, lead to the folder of the rules. */
  readonly depth: number;
  readonly byteCount: number;
}

/**
 * The files of a directory and its folders; those that are near first. It leaves out what its `.gitignore` files name,
 * and, outside of a repository, hidden files. It follows no link, and runs no program: git would run those that a
 * repository names.
 */
export async function walkFiles(
  cwd: string,
  { count, depth, timeMs }: FileLimits,
): Promise<FileListing> {
  const { isRepository, rules } = await lookAround(cwd);
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
  return entry.name.startsWith(".") || (entry.isDirectory() && LEFT_OUT.has(entry.name));
}

/** The rules of the innermost folder that say anything about the path decide. */
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

/** Whether the directory is in a repository, and what the folders around it say, up to the root of that. */
async function lookAround(
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
    return []; // there is none, or it may not be read
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
    // It is gone, or may not be read: the others are listed all the same.
  }
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Keeps work within its time, and leaves the gateway room for other work meanwhile. */
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

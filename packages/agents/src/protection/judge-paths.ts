import { stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join } from "node:path";

import { expandGlob, isGlob } from "./expand-glob.ts";
import { type ProtectedPaths, type Relations, relate } from "./protected-paths.ts";
import { resolveBothWays, resolvePath } from "./resolve-path.ts";

/** Limit on the places checked for one tool call. */
const MAX_PLACES = 8000;
export const MAX_BASES = 24;
/** The system itself refuses longer paths. */
export const MAX_PATH_CHARACTERS = 4096;

/** How words relate to the protected paths. `isComplete` is false if there were too many places to check. */
export interface Places {
  readonly relations: readonly Relations[];
  readonly isComplete: boolean;
}

export interface PlacesOptions {
  readonly paths: ProtectedPaths;
  /** An absolute path, the base of relative paths. */
  readonly cwd: string;
  readonly home: string;
  /**
   * Whether the words are from a shell: they can be patterns, and a command can change to a folder that it names, so
   * each folder among the words is a base as well.
   */
  readonly isShell: boolean;
}

/** Finds the places that words lead to if they are paths. */
export async function findPlaces(words: Iterable<string>, options: PlacesOptions): Promise<Places> {
  const { home, cwd, isShell } = options;
  const paths = await toRealPaths(options.paths);
  const spelled = [...words]
    .flatMap((word) => (word.includes("%") ? [word, decodeUrl(word)] : [word]))
    .map((word) => expandHome(word, home))
    .filter((word) => word !== "" && word.length <= MAX_PATH_CHARACTERS && !word.includes("\0"));
  const start: Base = { folder: cwd, isNear: true };
  const bases = isShell ? await findBases(spelled, start) : [start];
  if (bases.length > MAX_BASES || spelled.length * bases.length > MAX_PLACES) {
    return { relations: [], isComplete: false };
  }
  const found = bases.map((base) => findFrom(base, spelled, { ...options, paths }));
  const places = await Promise.all(found);
  return {
    relations: places.flatMap(({ relations }) => relations),
    isComplete: places.every(({ isComplete }) => isComplete),
  };
}

/** A folder that a command may be in. */
export interface Base {
  readonly folder: string;
  /** The word that led there from the command's working directory. */
  readonly word?: string;
  /** True for the command's working directory and for folders named from there. */
  readonly isNear: boolean;
}

async function findFrom(
  base: Base,
  words: readonly string[],
  { cwd, isShell, paths }: PlacesOptions,
): Promise<Places> {
  const relations: Relations[] = [];
  let isComplete = true;
  for (const word of words) {
    if (isAbsolute(word) && base.folder !== cwd) continue;
    const found = await findMeanings(word, base.folder, isShell);
    isComplete &&= found !== undefined;
    // A folder far up is above everything, so it counts only if the command is likely to work on it.
    const counts = base.isNear && base.word !== word;
    const all = (found ?? []).map((place) => relate(place, paths));
    relations.push(...(counts ? all : all.filter(isInsideAny)));
  }
  return { relations, isComplete };
}

function isInsideAny({ denied, asked }: Relations): boolean {
  return denied === "inside" || asked === "inside";
}

/** The protected paths, plus their targets with links followed. A link's own location is protected as well. */
export async function toRealPaths({
  deny,
  ask,
  free = [],
}: ProtectedPaths): Promise<ProtectedPaths> {
  const real = await Promise.all([...deny, ...ask].map((path) => resolvePath(path, "/")));
  return {
    deny: [...deny, ...real.slice(0, deny.length)],
    ask: [...ask, ...real.slice(deny.length)],
    free: await Promise.all(free.map(resolveFolderOf)),
  };
}

/** Resolves the folder of a path, but keeps a link at the path itself: the link's target is not that path. */
async function resolveFolderOf(path: string): Promise<string> {
  return join(await resolvePath(dirname(path), "/"), basename(path));
}

async function findMeanings(
  word: string,
  base: string,
  isShell: boolean,
): Promise<readonly string[] | undefined> {
  const asWritten = await resolveBothWays(word, base);
  if (!isShell || !isGlob(word)) return asWritten;
  const expanded = await expandGlob(word, base);
  if (expanded === undefined) return undefined;
  return [...asWritten, ...(await Promise.all(expanded.map((path) => resolvePath(path, base))))];
}

/** Every folder that a command may be in after up to as many `cd` as it has words; stops soon after `MAX_BASES`. */
export async function findBases(words: readonly string[], start: Base): Promise<readonly Base[]> {
  const bases = new Map([[start.folder, start]]);
  for (const base of bases.values()) {
    for (const word of words) {
      const folder = await resolvePath(word, base.folder);
      if (bases.has(folder) || !(await isFolder(folder))) continue;
      bases.set(folder, { folder, word, isNear: base === start });
    }
    if (bases.size > MAX_BASES) break;
  }
  return [...bases.values()];
}

/** Whether a path is, or leads to, a folder. */
export async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
}

function expandHome(word: string, home: string): string {
  const bare = word.startsWith("file://") ? word.slice("file://".length) : word;
  return bare === "~" || bare.startsWith("~/") ? home + bare.slice(1) : bare;
}

function decodeUrl(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // not a URL after all
  }
}

import type { Dirent } from "node:fs";
import { opendir } from "node:fs/promises";

import { expandGlob, isGlob } from "./expand-glob.ts";
import { findBases, isFolder, MAX_BASES, MAX_PATH_CHARACTERS, toRealPaths } from "./judge-paths.ts";
import { type ProtectedPaths, relate } from "./protected-paths.ts";
import { resolvePath } from "./resolve-path.ts";

/** So much is looked at for one command, at most. */
const MAX_ENTRIES = 100_000;
const MAX_MS = 1500;

/** Options with which programs follow the links that they meet, such as those of grep, rg, find, ls, du, cp, rsync. */
const FOLLOWS =
  /^-[A-Za-z\d]*[RL]|^--?(?:follow|deref|copy-(?:unsafe-)?links|logical|follow-?symlinks|links)/u;
/** Programs that follow links by themselves, or with an option that means something else elsewhere. */
const FOLLOWERS =
  /^(?:.*\/)?(?:tar|bsdtar|gtar|tree|ag|zip|7z[ar]?|scp|sftp|diff|pax|cpio|rclone|gzip|aws|gsutil|docker|podman)$/u;

/** Whether a command with these words may follow links that it does not name. */
export function followsLinks(words: Iterable<string>): boolean {
  return [...words].some((word) => FOLLOWS.test(word) || FOLLOWERS.test(word));
}

/**
 * Where the links lead that lie anywhere below the folders of a command: into a protected folder, to a folder that holds one,
 * or there were too many to follow each. `undefined`: nowhere of these.
 */
export async function findLinks(
  words: Iterable<string>,
  { paths, cwd }: { readonly paths: ProtectedPaths; readonly cwd: string },
): Promise<"inside" | "above" | "unknown" | undefined> {
  const real = await toRealPaths(paths);
  const folders = new Set(await findStarts(words, cwd));
  const endMs = performance.now() + MAX_MS;
  let count = 0;
  let isAbove = false;
  for (const folder of folders) {
    for await (const entry of entriesOf(folder)) {
      count += 1;
      if (count > MAX_ENTRIES || performance.now() > endMs) return "unknown";
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.add(path);
      if (!entry.isSymbolicLink()) continue;
      const target = await resolvePath(path, "/");
      const { denied } = relate(target, real);
      if (denied === "inside") return "inside";
      isAbove ||= denied === "above";
      // What a folder above holds is the same again, and more.
      if (denied === undefined && (await isFolder(target))) folders.add(target);
    }
  }
  return isAbove ? "above" : undefined;
}

/** The folders that a command may work on: where it begins, and those that it names. */
async function findStarts(words: Iterable<string>, cwd: string): Promise<string[]> {
  const named = [...words].filter(
    (word) => word.length <= MAX_PATH_CHARACTERS && !word.includes("\0"),
  );
  const expanded = await Promise.all(
    named.map(async (word) => (isGlob(word) ? ((await expandGlob(word, cwd)) ?? []) : [word])),
  );
  const bases = await findBases(expanded.flat(), { folder: cwd, isNear: true });
  return bases.slice(0, MAX_BASES).map(({ folder }) => folder);
}

async function* entriesOf(folder: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(folder);
  } catch {
    // It is gone, or may not be read: then the command cannot either.
  }
}

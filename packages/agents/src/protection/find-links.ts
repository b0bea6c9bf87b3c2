import type { Dirent } from "node:fs";
import { opendir } from "node:fs/promises";

import { expandGlob, isGlob } from "./expand-glob.ts";
import { findBases, isFolder, MAX_BASES, MAX_PATH_CHARACTERS, toRealPaths } from "./judge-paths.ts";
import { type ProtectedPaths, relate } from "./protected-paths.ts";
import { resolvePath } from "./resolve-path.ts";

/** Limits for one command. */
const MAX_ENTRIES = 100_000;
const MAX_MS = 1500;

/** Options with which programs follow links, such as in grep, rg, find, ls, du, cp, rsync. */
const FOLLOWS =
  /^-[A-Za-z\d]*[RL]|^--?(?:follow|deref|copy-(?:unsafe-)?links|logical|follow-?symlinks|links)/u;
/** Programs that follow links by default, or with an option that means something else elsewhere. */
const FOLLOWERS =
  /^(?:.*\/)?(?:tar|bsdtar|gtar|tree|ag|zip|7z[ar]?|scp|sftp|diff|pax|cpio|rclone|gzip|aws|gsutil|docker|podman)$/u;

/** Whether a command with these words may follow links that it does not name. */
export function followsLinks(words: Iterable<string>): boolean {
  return [...words].some((word) => FOLLOWS.test(word) || FOLLOWERS.test(word));
}

/**
 * The most dangerous target of the links below a command's folders: `inside` a protected folder, `above` one (a folder
 * that holds it), or `unknown` because there are too many to follow. `undefined`: none of these.
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
      // A folder above a protected one is reported but not searched: it would yield the same folders again, and more.
      if (denied === undefined && (await isFolder(target))) folders.add(target);
    }
  }
  return isAbove ? "above" : undefined;
}

/** The folders that a command may work on: its working directory and the folders among its words. */
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
    // Gone or unreadable, and so for the command.
  }
}

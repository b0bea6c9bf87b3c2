import { opendir } from "node:fs/promises";
import { join } from "node:path";

import type { FileListing } from "@holdpoint/engine";

import type { FileLimits } from "./list-files.ts";

/** Folders in which nobody looks for a file by its name. */
const LEFT_OUT: ReadonlySet<string> = new Set(["node_modules", "__pycache__", "target", "vendor"]);

interface Folder {
  /** Relative, with a slash at its end; empty for the directory itself. */
  readonly path: string;
  readonly depth: number;
}

/** The files of a directory and its folders, but for hidden ones; those that are near first. */
export async function listByWalk(
  cwd: string,
  { count, depth, timeMs }: FileLimits,
): Promise<FileListing> {
  const endMs = performance.now() + timeMs;
  const paths: string[] = [];
  const folders: Folder[] = [{ path: "", depth: 0 }];
  let isPartial = false;
  for (const folder of folders) {
    if (folder.depth > depth || performance.now() > endMs) {
      isPartial = true;
      continue;
    }
    for await (const entry of entriesOf(join(cwd, folder.path))) {
      if (paths.length >= count || folders.length > count) {
        return { paths, isPartial: true };
      }
      const path = `${folder.path}${entry.name}`;
      // What is neither, such as a symbolic link, is left out.
      if (entry.isFile()) paths.push(path);
      else if (entry.isDirectory() && !LEFT_OUT.has(entry.name)) {
        folders.push({ path: `${path}/`, depth: folder.depth + 1 });
      }
    }
  }
  return { paths, ...(isPartial && { isPartial: true as const }) };
}

async function* entriesOf(folder: string) {
  try {
    for await (const entry of await opendir(folder)) {
      if (!entry.name.startsWith(".")) yield entry;
    }
  } catch {
    // It is gone, or may not be read: the others are listed all the same.
  }
}

import type { FileListing } from "@holdpoint/engine";

import { FILE_LIMITS, type FileLimits, walkFiles } from "./walk-files.ts";

const KEPT_MS = 10_000;
const MAX_KEPT = 16;

/**
 * Lists the files of directories, without those ignored by a `.gitignore`. Stays inside the directory and follows no
 * symbolic link. A list is cached for some seconds, because a person who types asks for it with each letter.
 */
export function createFileLister(
  now: () => number,
  limits: FileLimits = FILE_LIMITS,
): (cwd: string) => Promise<FileListing> {
  const kept = new Map<
    string,
    { readonly untilMs: number; readonly listing: Promise<FileListing> }
  >();
  return (cwd) => {
    const known = kept.get(cwd);
    if (known && known.untilMs > now()) return known.listing;
    const listing = walkFiles(cwd, limits);
    kept.delete(cwd);
    kept.set(cwd, { untilMs: now() + KEPT_MS, listing });
    listing.catch(() => kept.delete(cwd));
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    return listing;
  };
}

import type { FileList } from "@holdpoint/protocol";

import { notFound } from "../lib/errors.ts";
import type { FileListing } from "../ports/file-listing.ts";
import type { Store } from "../ports/store.ts";
import { assertAllowedCwd, type AllowedCwdParts } from "./allowed-cwd.ts";

export interface FindFilesParts extends AllowedCwdParts {
  readonly store: Store;
  readonly listFiles: (cwd: string) => Promise<FileListing>;
}

interface FileSearch {
  readonly text: string;
  readonly limit: number;
}

/** Files and folders in a session's directory whose path contains the text. */
export async function findFiles(
  parts: FindFilesParts,
  sessionId: string,
  search: FileSearch,
): Promise<FileList> {
  const stored = await parts.store.getSession(sessionId);
  if (!stored) throw notFound("session");
  return findIn(parts, stored.cwd, search);
}

/**
 * Files and folders in a directory whose path contains the text, with or without a session in it. Default: the
 * gateway's own directory.
 */
export async function findFolderFiles(
  parts: FindFilesParts,
  { cwd = parts.defaultCwd, ...search }: FileSearch & { readonly cwd?: string | undefined },
): Promise<FileList> {
  return findIn(parts, cwd, search);
}

async function findIn(
  parts: FindFilesParts,
  cwd: string,
  { text, limit }: FileSearch,
): Promise<FileList> {
  // The directory may have changed since a session began in it.
  await assertAllowedCwd(parts, cwd);
  const { paths, isPartial } = await parts.listFiles(cwd);
  const items = rankPaths([...foldersOf(paths), ...paths], text).slice(0, limit);
  return { items: items.map((path) => ({ path })), ...(isPartial && { isPartial }) };
}

/** The folders that contain the files, each once. */
function foldersOf(paths: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const folder = path.slice(0, at + 1);
      // Its parent folders are already there.
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}

/**
 * The paths that contain the text: first where a name begins with it, then where a name contains it, then the others;
 * shorter paths first.
 */
export function rankPaths(paths: readonly string[], text: string): string[] {
  const wanted = text.toLowerCase();
  const ranked = paths.flatMap((path) => {
    const rank = rankOf(path.toLowerCase(), wanted);
    return rank === undefined ? [] : [{ path, rank }];
  });
  return ranked
    .toSorted(
      (one, other) =>
        one.rank - other.rank ||
        one.path.length - other.path.length ||
        (one.path < other.path ? -1 : 1),
    )
    .map(({ path }) => path);
}

function rankOf(path: string, wanted: string): number | undefined {
  if (path.startsWith(wanted)) return 0;
  const name = path.slice(path.lastIndexOf("/", path.length - 2) + 1);
  if (name.startsWith(wanted)) return 0;
  if (name.includes(wanted)) return 1;
  return path.includes(wanted) ? 2 : undefined;
}

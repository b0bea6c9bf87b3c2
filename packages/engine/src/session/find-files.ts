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

/** Files and folders of a session's directory whose path has the text. */
export async function findFiles(
  parts: FindFilesParts,
  sessionId: string,
  search: FileSearch,
): Promise<FileList> {
  const stored = await parts.store.getSession(sessionId);
  if (!stored) throw notFound("session");
  return findIn(parts, stored.cwd, search);
}

/** The same of a directory in which no session need be: the gateway's own, unless another is named. */
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
  // It may have become another since a session began in it.
  await assertAllowedCwd(parts, cwd);
  const { paths, isPartial } = await parts.listFiles(cwd);
  const items = rankPaths([...foldersOf(paths), ...paths], text).slice(0, limit);
  return { items: items.map((path) => ({ path })), ...(isPartial && { isPartial }) };
}

/** The folders in which the files are, each once. */
function foldersOf(paths: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const folder = path.slice(0, at + 1);
      // Those around it are there as well.
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}

/** Those that have the text: where a name begins with it first, then where one has it; short ones before long ones. */
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

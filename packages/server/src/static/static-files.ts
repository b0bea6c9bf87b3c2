import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";

import { ServerError } from "../server-error.ts";
import { type Asset, createAsset } from "./asset.ts";

/** The built web interface by URL path. Lookups are exact, so no path leads anywhere else. */
export type StaticFiles = ReadonlyMap<string, Asset>;

/**
 * Reads a folder into memory. Symbolic links are left out: they may lead out of it.
 * Rejects with `ServerError` when there is no `index.html` in it.
 */
export async function loadStaticFiles(root: string): Promise<StaticFiles> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(
    (error: unknown) => {
      throw new ServerError("BAD_CONFIG", `The web interface is not in ${root}.`, { cause: error });
    },
  );
  const files = entries.filter((entry) => entry.isFile());
  const assets = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const file = join(parentPath, name);
      const path = `/${relative(root, file).split(sep).join("/")}`;
      return [path, await createAsset(path, await readFile(file))] as const;
    }),
  );
  const byPath = new Map(assets);
  if (!byPath.has("/index.html")) {
    throw new ServerError("BAD_CONFIG", `The web interface in ${root} has no index.html.`);
  }
  return byPath;
}

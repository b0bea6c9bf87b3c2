import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";

import { ServerError } from "../server-error.ts";
import { type Asset, createAsset, type Encoded } from "./asset.ts";

/** The built web interface by URL path. Lookups are exact, so no path leads anywhere else. */
export type StaticFiles = ReadonlyMap<string, Asset>;

/** How the names end of what a build has compressed, beside the file itself. */
const PACKED = /[.](?:br|gz)$/u;

/**
 * Reads a folder into memory. Symbolic links are left out: they may lead out of it. What the folder holds compressed,
 * such as `app.js.br` beside `app.js`, is sent as it is, and is no file of its own.
 * Rejects with `ServerError` when there is no `index.html` in it.
 */
export async function loadStaticFiles(root: string): Promise<StaticFiles> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(
    (error: unknown) => {
      throw new ServerError("BAD_CONFIG", `The web interface is not in ${root}.`, { cause: error });
    },
  );
  const files = new Set(
    entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name)),
  );
  const isPacked = (file: string): boolean =>
    files.has(file.replace(PACKED, "")) && PACKED.test(file);
  const assets = await Promise.all(
    [...files]
      .filter((file) => !isPacked(file))
      .map(async (file) => {
        const path = `/${relative(root, file).split(sep).join("/")}`;
        const packed = await readPacked(file, files);
        return [path, await createAsset(path, await readFile(file), packed)] as const;
      }),
  );
  const byPath = new Map(assets);
  if (!byPath.has("/index.html")) {
    throw new ServerError("BAD_CONFIG", `The web interface in ${root} has no index.html.`);
  }
  return byPath;
}

/** What a build has compressed of a file; `undefined` where it has compressed nothing. */
async function readPacked(file: string, files: ReadonlySet<string>): Promise<Encoded | undefined> {
  const read = async (path: string) => (files.has(path) ? readFile(path) : undefined);
  const [br, gzip] = await Promise.all([read(`${file}.br`), read(`${file}.gz`)]);
  return br || gzip ? { ...(br && { br }), ...(gzip && { gzip }) } : undefined;
}

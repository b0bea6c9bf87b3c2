import { readdir, readFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { join, relative, sep } from "node:path";

import { pathFor, publicPathOf } from "../http/public-path.ts";
import { ServerError } from "../server-error.ts";
import { type Asset, createAsset, type Encoded } from "./asset.ts";

/** The built web interface by URL path, as a request gets it. Lookups are exact, so no path leads anywhere else. */
export type StaticFiles = (incoming: IncomingMessage) => ReadonlyMap<string, Asset>;

/** Where only the API is served. */
export const NO_FILES: StaticFiles = () => new Map();

/** How the names end of what a build has compressed, beside the file itself. */
const PACKED = /[.](?:br|gz)$/u;
/** What names files beside itself, or the page. The bundler's own files find each other. */
const PLACED = /^\/[^/]+\.(?:html|js|webmanifest)$/u;

interface Found {
  readonly path: string;
  readonly bytes: Buffer<ArrayBuffer>;
  readonly packed: Encoded | undefined;
}

/**
 * Reads a folder into memory. Symbolic links are left out: they may lead out of it. What the folder holds compressed,
 * such as `app.js.br` beside `app.js`, is sent as it is, and is no file of its own.
 *
 * The page is not built for a path: where its files say `"./`, they are sent with the path under which the browser finds it.
 * Rejects with `ServerError` when there is no `index.html` in it.
 */
export async function loadStaticFiles(root: string, publicUrl?: URL): Promise<StaticFiles> {
  const found = await readFiles(root);
  if (!found.some(({ path }) => path === "/index.html")) {
    throw new ServerError("BAD_CONFIG", `The web interface in ${root} has no index.html.`);
  }
  const placed = found.filter(({ path }) => PLACED.test(path));
  const others = await toAssets(found.filter(({ path }) => !PLACED.test(path)));
  const at = async (base: string) =>
    new Map([...others, ...(await toAssets(placed.map((file) => placeAt(base, file))))]);
  const path = publicPathOf(publicUrl);
  const atRoot = await at("/");
  const underPath = path === "" ? atRoot : await at(`${path}/`);
  return (incoming) => (pathFor(incoming, publicUrl) === "" ? atRoot : underPath);
}

async function readFiles(root: string): Promise<Found[]> {
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
  return Promise.all(
    [...files]
      .filter((file) => !isPacked(file))
      .map(async (file) => ({
        path: `/${relative(root, file).split(sep).join("/")}`,
        bytes: await readFile(file),
        packed: await readPacked(file, files),
      })),
  );
}

function toAssets(files: readonly Found[]): Promise<(readonly [string, Asset])[]> {
  return Promise.all(
    files.map(
      async ({ path, bytes, packed }) => [path, await createAsset(path, bytes, packed)] as const,
    ),
  );
}

/** What a build has compressed of such a file is of the text as it was. */
function placeAt(base: string, file: Found): Found {
  const text = file.bytes.toString();
  if (!text.includes('"./')) return file;
  const bytes = Buffer.from(text.replaceAll('"./', () => `"${base}`));
  return { path: file.path, bytes, packed: undefined };
}

/** What a build has compressed of a file; `undefined` where it has compressed nothing. */
async function readPacked(file: string, files: ReadonlySet<string>): Promise<Encoded | undefined> {
  const read = async (path: string) => (files.has(path) ? readFile(path) : undefined);
  const [br, gzip] = await Promise.all([read(`${file}.br`), read(`${file}.gz`)]);
  return br || gzip ? { ...(br && { br }), ...(gzip && { gzip }) } : undefined;
}

import { readdir, readFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { join, relative, sep } from "node:path";

import { pathFor, publicPathOf } from "../http/public-path.ts";
import { ServerError } from "../server-error.ts";
import { type Asset, createAsset, type Encoded } from "./asset.ts";

/** The built web interface by URL path, for a given request. Lookups are exact, so no path can escape the folder. */
export type StaticFiles = (incoming: IncomingMessage) => ReadonlyMap<string, Asset>;

/** Serves no files, only the API. */
export const NO_FILES: StaticFiles = () => new Map();

/** Suffixes of precompressed files. */
const PACKED = /[.](?:br|gz)$/u;
/** Files that contain paths relative to themselves or to the page. The bundler's own files resolve each other. */
const PLACED = /^\/[^/]+\.(?:html|js|webmanifest)$/u;

interface Found {
  readonly path: string;
  readonly bytes: Buffer<ArrayBuffer>;
  readonly packed: Encoded | undefined;
}

/**
 * Reads a folder into memory. Symbolic links are skipped: they may lead outside. A precompressed file, such as
 * `app.js.br` next to `app.js`, is sent as that file's encoding and is not a separate file.
 *
 * The page is not built for a fixed path: `"./` in its files is replaced with the path at which the browser finds it.
 * Rejects with `ServerError` when the folder has no `index.html`.
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

/** Inserts the base path. Precompressed forms of a changed file are dropped, because they contain the original text. */
function placeAt(base: string, file: Found): Found {
  const text = file.bytes.toString();
  if (!text.includes('"./')) return file;
  const bytes = Buffer.from(text.replaceAll('"./', () => `"${base}`));
  return { path: file.path, bytes, packed: undefined };
}

/** Reads the precompressed forms of a file; `undefined` if there are none. */
async function readPacked(file: string, files: ReadonlySet<string>): Promise<Encoded | undefined> {
  const read = async (path: string) => (files.has(path) ? readFile(path) : undefined);
  const [br, gzip] = await Promise.all([read(`${file}.br`), read(`${file}.gz`)]);
  return br || gzip ? { ...(br && { br }), ...(gzip && { gzip }) } : undefined;
}

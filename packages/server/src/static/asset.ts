import { createHash } from "node:crypto";
import { extname } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".jpg": "image/jpeg",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".map": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};
const COMPRESSIBLE = new Set([
  ".css",
  ".html",
  ".js",
  ".json",
  ".map",
  ".svg",
  ".txt",
  ".webmanifest",
]);
/** Compressing smaller files saves no network packet. */
const MIN_COMPRESSED_BYTES = 1024;

type Bytes = Uint8Array<ArrayBuffer>;

/** One file of the web interface, in memory, in all its encodings. */
export interface Asset {
  readonly type: string;
  readonly cacheControl: string;
  readonly etag: string;
  readonly bytes: Bytes;
  readonly encoded: Encoded;
}

/** The file's bytes, compressed. */
export interface Encoded {
  readonly br?: Bytes;
  readonly gzip?: Bytes;
}

/** Creates an asset from a file and its precompressed forms, if any. `path` is its URL path. */
export async function createAsset(path: string, bytes: Bytes, packed?: Encoded): Promise<Asset> {
  const extension = extname(path).toLowerCase();
  const isWorthIt = COMPRESSIBLE.has(extension) && bytes.length >= MIN_COMPRESSED_BYTES;
  return {
    type: TYPES[extension] ?? "application/octet-stream",
    cacheControl: isHashed(path) ? "public, max-age=31536000, immutable" : "no-cache",
    etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`,
    bytes,
    encoded: packed ?? (isWorthIt ? await compress(bytes) : {}),
  };
}

async function compress(bytes: Bytes): Promise<Encoded> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(bytes, { params }),
    promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  return { br, gzip: zipped };
}

/** True for files under `/assets/` with a content hash in their names, which never change. */
function isHashed(path: string): boolean {
  return /^\/assets\/[^/]*-[\w-]{8,}\.\w+$/.test(path);
}

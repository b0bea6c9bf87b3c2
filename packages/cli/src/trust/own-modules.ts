import { createRequire, registerHooks } from "node:module";
import { extname, isAbsolute, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { type Clock, createSystemClock } from "@holdpoint/engine";
import { saying } from "@holdpoint/protocol";

import { UsageError } from "../usage-error.ts";

/** Time limit for loading a module, so that one that never finishes does not block the gateway's start. */
const IMPORT_MS = 10_000;

/** The person's own files, read once. */
export interface OwnFiles {
  /** Real path of the folder that they belong to. */
  readonly folder: string;
  /** The bytes, by real path. */
  readonly bytes: ReadonlyMap<string, Buffer>;
}

/** Imports one of the files; resolves with its default export. Each file runs once. Rejects when it takes too long. */
export type ImportOwn = (path: string) => Promise<unknown>;

/** The files of each version. A module's URL contains the version. */
const versions = new Map<string, OwnFiles>();
/** The version that last served each file, by real path. `require` and packages ask without a version. */
const newest = new Map<string, string>();
let isHooked = false;
let isLooking = false;

/**
 * Makes modules from files that were read before: exactly those bytes run, even if the disk has changed. A module may
 * import by path only other files of the set. Each call creates new modules; packages are loaded once, from the disk.
 */
export function serveOwnModules(files: OwnFiles, clock: Clock = createSystemClock()): ImportOwn {
  if (!isHooked) registerHooks({ resolve: resolveOwn, load: loadOwn });
  isHooked = true;
  const version = String(versions.size + 1);
  versions.set(version, files);
  for (const path of files.bytes.keys()) newest.set(path, version);
  return async (path) => {
    const loading: Promise<unknown> = import(atVersion(pathToFileURL(path), version).href);
    const loaded = await inTime(loading, clock);
    return (loaded as { default?: unknown }).default;
  };
}

/**
 * The real path of an imported file, if it is one of the person's own: imported by path, or in their folder without
 * being an installed package. Runs nothing.
 */
export function findOwnImport(
  module: { readonly path: string; readonly folder: string },
  specifier: string,
): string | undefined {
  isLooking = true;
  try {
    const name = specifier.startsWith("file:") ? fileURLToPath(specifier) : specifier;
    const path = createRequire(module.path).resolve(name);
    // Node's own modules have no path.
    return isAbsolute(path) && isOwn(specifier, path, module.folder) ? path : undefined;
  } catch {
    return undefined; // missing, or found only at import time
  } finally {
    isLooking = false;
  }
}

async function inTime(loading: Promise<unknown>, clock: Clock): Promise<unknown> {
  const loaded = new AbortController();
  const tooLong = clock.sleep(IMPORT_MS, { signal: loaded.signal }).then(() => {
    throw new UsageError(saying("tool_slow", { seconds: IMPORT_MS / 1000 }));
  });
  try {
    return await Promise.race([loading, tooLong]);
  } finally {
    loaded.abort();
    // The loser of the race has no handler left.
    for (const lost of [loading, tooLong]) lost.catch(() => undefined);
  }
}

type Hooks = Parameters<typeof registerHooks>[0];

const resolveOwn: NonNullable<Hooks["resolve"]> = (specifier, context, nextResolve) => {
  const resolved = nextResolve(specifier, context);
  const importer = isLooking ? undefined : findServed(context.parentURL);
  const url = URL.parse(resolved.url);
  if (importer === undefined || url?.protocol !== "file:") return resolved;
  const path = fileURLToPath(url);
  if (!isOwn(specifier, path, importer.files.folder)) return resolved;
  if (!importer.files.bytes.has(path)) {
    throw new Error(`${path} is imported, but was not among the files that were looked at`);
  }
  return importer.isVersioned
    ? { ...resolved, url: atVersion(url, importer.version).href }
    : resolved;
};

const loadOwn: NonNullable<Hooks["load"]> = (address, context, nextLoad) => {
  const served = findServed(address);
  if (served === undefined) return nextLoad(address, context);
  const { path, bytes } = served;
  return { format: toFormat(path, bytes, context.format), source: bytes, shortCircuit: true };
};

interface Served {
  readonly files: OwnFiles;
  readonly path: string;
  readonly bytes: Buffer;
  readonly version: string;
  /** Whether the module's URL contains the version. */
  readonly isVersioned: boolean;
}

function findServed(address: string | undefined): Served | undefined {
  const url = URL.parse(address ?? "");
  if (url?.protocol !== "file:") return undefined;
  const path = fileURLToPath(url);
  const named = url.searchParams.get("version");
  const version = named ?? newest.get(path);
  const files = version === undefined ? undefined : versions.get(version);
  const bytes = files?.bytes.get(path);
  if (version === undefined || files === undefined || bytes === undefined) return undefined;
  return { files, path, bytes, version, isVersioned: named !== null };
}

function isOwn(specifier: string, path: string, folder: string): boolean {
  if (/^(?:\.{0,2}\/|\.{1,2}$|file:|#|[A-Za-z]:\\)/.test(specifier)) return true;
  const inside = relative(folder, path).split(sep);
  return inside[0] !== ".." && !inside.includes("node_modules");
}

function atVersion(url: URL, version: string): URL {
  url.searchParams.set("version", version);
  return url;
}

/** The module's format: by its extension, or else by its package's type or its syntax. */
function toFormat(path: string, bytes: Buffer, known: string | null | undefined): string {
  const extension = extname(path);
  if (extension === ".json") return "json";
  if (!/^\.[cm]?[jt]s$/.test(extension)) {
    throw new Error(`${path} is of a kind that is not loaded as a tool or a part of one`);
  }
  const isModule =
    extension.startsWith(".m") ||
    (!extension.startsWith(".c") &&
      (known?.startsWith("module") === true || hasModuleSyntax(bytes)));
  const kind = isModule ? "module" : "commonjs";
  return extension.endsWith("ts") ? `${kind}-typescript` : kind;
}

function hasModuleSyntax(bytes: Buffer): boolean {
  return /^[^\S\n\r\u2028\u2029]*(?:import|export)\b(?!\s*\()|\bimport\.meta\b/m.test(
    bytes.toString(),
  );
}

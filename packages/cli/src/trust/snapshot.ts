import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open, readdir, realpath, stat } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { basename, dirname, join, relative, sep } from "node:path";

import { inEnglish, type Saying, saying } from "@holdpoint/protocol";

import { CONFIG_NAMES, TOOLS_FOLDER } from "./guarded-paths.ts";
import { findOwnImport } from "./own-modules.ts";

const MAX_FILES = 2000;
const MAX_BYTES = 32 * 1024 * 1024;
const TOOL_FILE = /^[^.].*(?<!\.d|\.test)\.(?:ts|js|mjs)$/;

/** One file that the gateway would load. */
export interface SnapshotFile {
  /** The name shown to a person, such as `tools/greet.ts`. */
  readonly name: string;
  /** The path with links followed. */
  readonly path: string;
  /** A module is imported by the config file, by a tool, or by another module. */
  readonly role: "config" | "tool" | "module";
  readonly bytes: Buffer;
  /** Real paths of the own files that it imports. */
  readonly imports: readonly string[];
}

/** The parts of a file that a person looks at. */
export type FileContent = Pick<SnapshotFile, "bytes" | "name" | "path" | "role">;

/** All files of a folder that the gateway would load, read once. */
export interface Snapshot {
  /** The folder's real path. */
  readonly folder: string;
  /** Covers the folder's path and all names, paths and bytes. */
  readonly hash: string;
  /** The config file first, then the tools by name, then the modules by path. */
  readonly files: readonly SnapshotFile[];
  /** Packages that the files import. The hash does not cover them. */
  readonly packages: readonly string[];
}

/**
 * The error for a folder that cannot be loaded completely, so that nothing of it is. The message gives the reason in
 * one sentence.
 */
export class SnapshotError extends Error {
  override readonly name = "SnapshotError";
  /** The message in a translatable form. */
  readonly said: Saying;

  constructor(said: Saying) {
    super(inEnglish(said));
    this.said = said;
  }
}

/**
 * Reads a folder's config file (or the named one), the files in `tools` next to it, and the modules that they import,
 * without running anything. `undefined` if there is nothing to load. Rejects with `SnapshotError`.
 */
export async function readSnapshot(place: {
  readonly folder: string;
  readonly configPath?: string | undefined;
}): Promise<Snapshot | undefined> {
  const folder = await realpath(place.folder).catch((error: unknown) => {
    throw unreadable(place.folder, error);
  });
  const config = place.configPath ?? (await findConfig(place.folder));
  const tools = await listTools(join(place.folder, TOOLS_FOLDER));
  if (config === undefined && tools.length === 0) return undefined;
  const reading = new SnapshotReading(folder);
  if (config !== undefined) await reading.read(config, basename(config), "config");
  for (const path of tools) {
    await reading.read(path, `${TOOLS_FOLDER}/${basename(path)}`, "tool");
  }
  await reading.readModules();
  return reading.end();
}

/** A folder whose files are all gone. */
export async function emptySnapshot(folder: string): Promise<Snapshot> {
  return toSnapshot(await realpath(folder), [], []);
}

function toSnapshot(
  folder: string,
  files: readonly SnapshotFile[],
  packages: readonly string[],
): Snapshot {
  const facts = files.map(({ role, name, path, bytes }) => [role, name, path, digest(bytes)]);
  return { folder, hash: digest(JSON.stringify([folder, facts])), files, packages };
}

/**
 * Whether the files seem to be meant for the gateway: without a config file, a `tools` folder may belong to another
 * program.
 */
export function isMeantForGateway({ files }: Snapshot): boolean {
  if (files.some(({ role }) => role === "config")) return true;
  const text = files.map(({ bytes }) => bytes.toString()).join("\n");
  return (
    /\bdefineTool\b/.test(text) ||
    ["name", "description", "handler"].every((word) => new RegExp(`\\b${word}\\b`).test(text))
  );
}

async function findConfig(folder: string): Promise<string | undefined> {
  for (const path of CONFIG_NAMES.map((name) => join(folder, name))) {
    const isFile = await stat(path).then(
      (entry) => entry.isFile(),
      () => false,
    );
    if (isFile) return path;
  }
  return undefined;
}

async function listTools(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error))) return [];
    throw unreadable(folder, error);
  });
  return names
    .filter((name) => TOOL_FILE.test(name))
    .toSorted()
    .map((name) => join(folder, name));
}

class SnapshotReading {
  readonly #folder: string;
  readonly #files = new Map<string, SnapshotFile>();
  readonly #packages = new Set<string>();
  #byteCount = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async read(at: string, name: string, role: SnapshotFile["role"]): Promise<void> {
    const path = await realpath(at).catch((error: unknown) => {
      throw unreadable(name, error);
    });
    // A tool file that links to another one is the same tool.
    if (this.#files.has(path)) return;
    const bytes = await readWhole(path, name, MAX_BYTES - this.#byteCount);
    this.#byteCount += bytes.length;
    if (this.#files.size === MAX_FILES) {
      throw new SnapshotError(saying("folder_has_many", { folder: this.#folder, most: MAX_FILES }));
    }
    const imports = path.endsWith(".json") ? [] : this.#importsOf(path, bytes.toString());
    this.#files.set(path, { name, path, role, bytes, imports });
  }

  /** Follows the imports of all files, also of files that it adds. */
  async readModules(): Promise<void> {
    for (const { imports } of this.#files.values()) {
      for (const path of imports) await this.read(path, this.#nameOf(path), "module");
    }
  }

  end(): Snapshot {
    const all = [...this.#files.values()];
    const modules = all
      .filter(({ role }) => role === "module")
      .toSorted((left, right) => (left.path < right.path ? -1 : 1));
    const files = [...all.filter(({ role }) => role !== "module"), ...modules];
    return toSnapshot(this.#folder, files, [...this.#packages].toSorted());
  }

  #importsOf(path: string, text: string): string[] {
    const module = { path, folder: this.#folder };
    const found = new Set<string>();
    for (const specifier of namedIn(text)) {
      const imported = findOwnImport(module, specifier);
      if (imported !== undefined) found.add(imported);
      else if (/^[\w@]/.test(specifier) && !isBuiltin(specifier)) this.#packages.add(specifier);
    }
    return [...found].toSorted();
  }

  #nameOf(path: string): string {
    return relative(this.#folder, path).split(sep).join("/");
  }
}

/**
 * The possible imports of a module: strings after `from`, `import` or `require`, and programs named by path, such as a
 * worker's. Finding too many does no harm, and missed ones are refused at import time.
 */
function* namedIn(text: string): Generator<string> {
  const imported = /(?:\bfrom|\bimport|\brequire)\s*(?:\(\s*)?(["'`])([^"'`\n]+)\1/g;
  const program = /(["'`])((?:\.{1,2}\/|file:)[^"'`\n]+\.[cm]?[jt]s)\1/g;
  for (const pattern of [imported, program]) {
    for (const [, , specifier = ""] of text.matchAll(pattern)) yield specifier;
  }
}

function unreadable(name: string, error: unknown): SnapshotError {
  return new SnapshotError(saying("file_unreadable", { name, code: codeOf(error) }));
}

async function readWhole(path: string, name: string, left: number): Promise<Buffer> {
  try {
    // Without `O_NONBLOCK`, opening a pipe would wait for its writer.
    await using file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const entry = await file.stat();
    if (!entry.isFile()) throw new SnapshotError(saying("file_not_ordinary", { name }));
    const bytes = entry.size > left ? undefined : await file.readFile();
    if (bytes !== undefined && bytes.length <= left) return bytes;
  } catch (error: unknown) {
    if (error instanceof SnapshotError) throw error;
    throw unreadable(name, error);
  }
  throw new SnapshotError(saying("files_too_large", { folder: dirname(path) }));
}

function digest(content: Buffer | string): string {
  return createHash("sha256").update(content).digest("hex");
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
}

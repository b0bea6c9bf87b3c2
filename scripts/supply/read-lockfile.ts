import { readFileSync } from "node:fs";

interface LockEntry {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export type Lock = Readonly<Record<string, LockEntry>>;

/** A published package, or a dependency of one. */
export interface Locked {
  readonly path: string;
  readonly name: string;
  readonly version: string;
  readonly license: string | undefined;
  readonly integrity: string | undefined;
  readonly hasInstallScript: boolean;
  /** Paths of its dependencies. */
  readonly needs: readonly string[];
}

/** The packages of a lockfile by their installation path. */
export function readLock(path: string): Lock {
  return (JSON.parse(readFileSync(path, "utf8")) as { packages: Lock }).packages;
}

/** The runtime dependencies of the packages at these paths, direct and indirect, without workspaces. */
export function closureOf(lock: Lock, roots: readonly string[]): Locked[] {
  const found = new Map<string, Locked>();
  const left = roots.flatMap((root) => needsOf(lock, root));
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    if (found.has(path)) continue;
    const entry = lock[path] ?? {};
    const needs = needsOf(lock, path);
    found.set(path, {
      path,
      name: entry.name ?? nameOf(path),
      version: entry.version ?? "",
      license: entry.license,
      integrity: entry.integrity,
      hasInstallScript: entry.hasInstallScript === true,
      needs,
    });
    left.push(...needs);
  }
  return [...found.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Entries without a hash, which could be replaced in transit, and entries that name a host. */
export function findUnpinned(lock: Lock): string[] {
  return Object.entries(lock).flatMap(([path, { link, integrity, resolved }]) => {
    const isOwn = !path.includes("node_modules/") || link === true;
    const isForeign = !isOwn && resolved !== undefined;
    return [
      ...(isOwn || integrity !== undefined ? [] : [`${path} has no integrity`]),
      ...(isForeign ? [`${path} comes from ${resolved}`] : []),
    ];
  });
}

function needsOf(lock: Lock, path: string): string[] {
  const { dependencies = {}, optionalDependencies = {} } = lock[path] ?? {};
  const names = Object.keys({ ...dependencies, ...optionalDependencies });
  return names
    .flatMap((name) => resolve(lock, path, name) ?? [])
    .filter((found) => !lock[found]?.link);
}

/** Resolves a name as Node does: in the package's own folder, then in those above. */
function resolve(lock: Lock, from: string, name: string): string | undefined {
  for (
    let folder = from;
    ;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf("node_modules/") - 1))
  ) {
    const path = folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (lock[path]) return path;
    if (!folder.includes("node_modules/")) {
      return lock[`node_modules/${name}`] && `node_modules/${name}`;
    }
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
}

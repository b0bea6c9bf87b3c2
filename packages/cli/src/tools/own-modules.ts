import { registerHooks } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

/** File → the files that it imports by path; packages are not followed. */
const imports = new Map<string, Set<string>>();
let isHooked = false;

/**
 * The default export of a module. Another version loads the file again, with everything that it imports by path; packages
 * are loaded once.
 */
export async function importDefault(path: string, version: number): Promise<unknown> {
  if (!isHooked) registerHooks({ resolve: follow });
  isHooked = true;
  if (!imports.has(path)) imports.set(path, new Set());
  const loaded: unknown = await import(atVersion(pathToFileURL(path), String(version)).href);
  return (loaded as { default?: unknown }).default;
}

/** The file, and what it and its imports import by path, as far as that has been loaded. */
export function filesOf(path: string): ReadonlySet<string> {
  const files = new Set([path]);
  // A set that grows is walked to its end.
  for (const file of files) for (const imported of imports.get(file) ?? []) files.add(imported);
  return files;
}

type Resolve = NonNullable<Parameters<typeof registerHooks>[0]["resolve"]>;

const follow: Resolve = (specifier, context, nextResolve) => {
  const resolved = nextResolve(specifier, context);
  const parent = URL.parse(context.parentURL ?? "");
  const url = URL.parse(resolved.url);
  if (!/^(?:\.{0,2}\/|file:)/.test(specifier) || parent?.protocol !== "file:") return resolved;
  const known = imports.get(fileURLToPath(parent));
  if (!known || url?.protocol !== "file:") return resolved;
  const file = fileURLToPath(url);
  known.add(file);
  if (!imports.has(file)) imports.set(file, new Set());
  const version = parent.searchParams.get("version") ?? "0";
  return { ...resolved, url: atVersion(url, version).href };
};

/** The first version has no query, so that other modules which import the file share it. */
function atVersion(url: URL, version: string): URL {
  if (version !== "0") url.searchParams.set("version", version);
  return url;
}

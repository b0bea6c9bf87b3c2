import { readlink, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, normalize, parse, resolve, sep } from "node:path";

/** The limit in Linux. */
const MAX_LINKS = 40;

/**
 * The path's target from a folder, like in the kernel: links are followed, including one to a file that does not exist
 * yet, and `..` goes up from a link's target. Missing parts are kept as written.
 */
export async function resolvePath(path: string, base: string): Promise<string> {
  return walk(path, await realpath(base).catch(() => base), MAX_LINKS);
}

/**
 * All places that a path may mean: some programs remove `..` from the text before they follow links, the kernel after.
 */
export async function resolveBothWays(path: string, base: string): Promise<readonly string[]> {
  const physical = await resolvePath(path, base);
  if (!path.includes("..")) return [physical];
  return [...new Set([physical, await resolvePath(resolve(base, path), base)])];
}

async function walk(path: string, from: string, links: number): Promise<string> {
  const whole = isAbsolute(path) ? path : join(from, "/", path);
  // Most paths exist and contain no `..`: a single system call is enough for them.
  if (!path.includes("..")) {
    const real = await realpath(whole).catch(() => undefined);
    if (real !== undefined) return real;
  }
  const { root } = parse(path);
  let at = root === "" ? from : root;
  for (const segment of normalSeparators(path.slice(root.length)).split("/")) {
    if (segment === "..") at = dirname(at);
    else if (segment !== "" && segment !== ".") at = await step(at, segment, links);
  }
  return normalize(at);
}

async function step(folder: string, name: string, links: number): Promise<string> {
  const path = join(folder, name);
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined) return real;
  const target = await readlink(path).catch(() => undefined);
  if (target === undefined || links === 0) return path;
  return walk(target, folder, links - 1);
}

function normalSeparators(path: string): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
}

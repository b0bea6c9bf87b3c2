import { delimiter, isAbsolute, join, relative, sep } from "node:path";

/**
 * The search path without folders that agents may write to. npm and npx prepend the `node_modules/.bin` of the folder
 * that they run in, and of all folders around it, and a relative folder depends on where a program runs. Without this,
 * a program in such a folder would run in place of a system program, such as `unshare`, with the gateway's rights.
 */
export function withoutOwnPrograms(searchPath: string, cwd: string): string {
  return searchPath
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isOfProject(folder, cwd))
    .join(delimiter);
}

/** Whether the folder is in the `node_modules` of `cwd`, or of a folder around it. */
function isOfProject(folder: string, cwd: string): boolean {
  const parts = folder.split(sep);
  const at = parts.indexOf("node_modules");
  if (at === -1) return false;
  const way = relative(join(parts.slice(0, at).join(sep), sep), cwd);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

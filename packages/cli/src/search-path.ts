import { delimiter, isAbsolute, join, relative, sep } from "node:path";

/**
 * The search path without folders that agents may write: npm and npx put the `node_modules/.bin` of the folder that they
 * run in first, and of all folders around it, and a relative folder is another one wherever a program runs. Otherwise a
 * program in there would run in place of one of the system's, such as `unshare`, with the gateway's rights.
 */
export function withoutOwnPrograms(searchPath: string, cwd: string): string {
  return searchPath
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isOfProject(folder, cwd))
    .join(delimiter);
}

/** Whether it is in the `node_modules` of the folder, or of one around it. */
function isOfProject(folder: string, cwd: string): boolean {
  const parts = folder.split(sep);
  const at = parts.indexOf("node_modules");
  if (at === -1) return false;
  const way = relative(join(parts.slice(0, at).join(sep), sep), cwd);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/**
 * A path below `folder` without it, as in `src/a.ts`. Any other path stays absolute, such as one beside the folder, and
 * one with `..`, `.` or empty parts, which may lead out of it.
 */
export function toPathIn(folder: string, path: string): string {
  const prefix = folder.endsWith("/") ? folder : `${folder}/`;
  if (prefix === "/" || !path.startsWith(prefix)) return path;
  const rest = path.slice(prefix.length);
  return rest.split("/").some((part) => ["", ".", ".."].includes(part)) ? path : rest;
}

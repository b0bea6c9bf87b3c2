import { lstatSync, readlinkSync, type Stats } from "node:fs";
import { dirname, isAbsolute, join, parse, resolve, sep } from "node:path";

/** The same limit as in Linux. */
const MAX_LINKS = 40;

/**
 * Returns why another user of the machine could replace a folder: the owner or mode of the folder, of a parent, or of a
 * link in its path. `undefined` if no one could. Does not check parts that do not exist yet, nor the mode of the folder
 * itself.
 */
export function findStranger(path: string): string | undefined {
  if (process.platform === "win32") return undefined;
  const { root } = parse(resolve(path));
  const left = resolve(path).slice(root.length).split(sep);
  let at = root;
  let links = 0;
  for (let name = left.shift(); name !== undefined; name = left.shift()) {
    if (name === "..") at = dirname(at);
    if (name === ".." || name === "." || name === "") continue;
    const next = join(at, name);
    const entry = lstatSync(next, { throwIfNoEntry: false });
    if (entry === undefined) return undefined;
    const isItself = left.every((each) => each === "");
    const found = findIn(next, entry, isItself);
    if (found !== undefined) return found;
    if (!entry.isSymbolicLink()) at = next;
    else {
      links += 1;
      if (links > MAX_LINKS) return `There are too many links on the way to ${path}.`;
      const target = readlinkSync(next);
      left.unshift(...target.split(sep));
      if (isAbsolute(target)) at = root;
    }
  }
  return undefined;
}

function findIn(path: string, entry: Stats, isItself: boolean): string | undefined {
  if (entry.uid !== process.geteuid?.() && entry.uid !== 0) {
    return `${path} belongs to another user. Run \`chown\` on it, or choose another data folder.`;
  }
  // In a sticky folder such as `/tmp`, others can add files but cannot replace this user's.
  const isShared = (entry.mode & 0o022) !== 0 && (entry.mode & 0o1000) === 0;
  if (!entry.isDirectory() || isItself || !isShared) return undefined;
  return `Other users can write to ${path}. Run \`chmod go-w\` on it, or choose another data folder.`;
}

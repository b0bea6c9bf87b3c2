import { readdir } from "node:fs/promises";
import { isAbsolute } from "node:path";

const MAX_MATCHES = 500;
const GLOB = /[*?[]/u;

/** Whether the shell, or a tool, takes the word for a path pattern. */
export function isGlob(word: string): boolean {
  return GLOB.test(word);
}

/**
 * The existing paths that match a pattern, including dotfiles: more than a shell would find. A part `**` and everything
 * after it match the folder before it. `undefined`: there are too many matches.
 */
export async function expandGlob(
  pattern: string,
  base: string,
): Promise<readonly string[] | undefined> {
  let found = [isAbsolute(pattern) ? "/" : base];
  for (const part of pattern.split("/").filter((each) => each !== "")) {
    if (part === "**") return found;
    const next = await Promise.all(found.map((folder) => matches(folder, part)));
    found = next.flat();
    if (found.length > MAX_MATCHES) return undefined;
  }
  return found;
}

async function matches(folder: string, part: string): Promise<string[]> {
  // Not `join`, here and below: it would remove `..` before links are followed.
  if (!isGlob(part)) return [`${folder}/${part}`];
  const names = await readdir(folder).catch(() => []);
  const isMatch = toMatcher(part);
  return names.filter(isMatch).map((name) => `${folder}/${name}`);
}

/** Replaces each bracket class, such as `[!a-z]`, with `?`. */
function withoutClasses(part: string): string {
  // No class starts after the last closing bracket. Searching there would take quadratic time for many open brackets.
  const end = part.lastIndexOf("]") + 1;
  return part.slice(0, end).replaceAll(/\[[!^]?\]?[^\]]*\]/gu, "?") + part.slice(end);
}

/** A bracket class matches any one character. Matching takes time proportional to the product of both lengths. */
function toMatcher(part: string): (name: string) => boolean {
  const signs = Array.from(withoutClasses(part).toLowerCase());
  return (name) => {
    let reached = new Set([0]);
    for (const letter of name.toLowerCase()) {
      const next = new Set<number>();
      for (const at of closeOverStars(reached, signs)) {
        const sign = signs[at];
        if (sign === "*") next.add(at);
        else if (sign === "?" || sign === letter) next.add(at + 1);
      }
      reached = next;
    }
    return closeOverStars(reached, signs).has(signs.length);
  };
}

/** Adds the positions after stars, since a star may match nothing. */
function closeOverStars(reached: ReadonlySet<number>, signs: readonly string[]): Set<number> {
  const closed = new Set(reached);
  for (const at of closed) if (signs[at] === "*") closed.add(at + 1);
  return closed;
}

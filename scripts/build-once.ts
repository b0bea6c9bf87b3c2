import { createHash } from "node:crypto";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const NO_SOURCE = ["**/*.test.ts", "**/*.test.tsx", "**/testing/**"];

export interface Build {
  /** The name of the build, with its article, for log lines. */
  readonly name: string;
  /** Patterns of all of its source files, relative to the root of the repository. */
  readonly sources: readonly string[];
  /** A path in the built folder, so that it never outlives the build. */
  readonly stamp: string;
  /** Builds, replacing an earlier build. Throws when that fails. */
  run(): void;
}

/**
 * Builds, unless there is a build of exactly these sources. Calls `say` with each step. Throws when the build fails.
 */
export function buildOnce(build: Build, say: (line: string) => void): void {
  const sources = digestSources(build.sources);
  const stamp = `${ROOT}/${build.stamp}`;
  if (readStamp(stamp) === sources) return;
  say(
    `Building ${build.name}, which takes some seconds, because it is new or its sources changed …`,
  );
  const startedAt = performance.now();
  build.run();
  writeFileSync(stamp, sources);
  say(`Built ${build.name} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`);
}

function digestSources(patterns: readonly string[]): string {
  const hash = createHash("sha256");
  const files = globSync([...patterns], { cwd: ROOT, exclude: NO_SOURCE, withFileTypes: false });
  for (const file of files.toSorted()) {
    const content = readFileSync(`${ROOT}/${file}`);
    hash.update(`${file} ${content.length}\n`).update(content);
  }
  return hash.digest("hex");
}

function readStamp(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // nothing is built yet
  }
}

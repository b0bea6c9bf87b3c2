import { createHash } from "node:crypto";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const NO_SOURCE = ["**/*.test.ts", "**/*.test.tsx", "**/testing/**"];

export interface Build {
  /** What is built, with its article, for the lines that say so. */
  readonly name: string;
  /** Patterns of all files that it is made of, from the root of the repository. */
  readonly sources: readonly string[];
  /** In the folder that is built, so that it never outlives what it belongs to. */
  readonly stamp: string;
  /** Makes it, in place of what was there. Throws when it cannot. */
  run(): void;
}

/** Builds, unless what is there was built from exactly these sources. Tells `say` what it does. Throws when the build fails. */
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

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** Everything that the page is made of; the packages from elsewhere count by the lockfile. */
const SOURCES = [
  "package-lock.json",
  "packages/{protocol,client,react,web}/package.json",
  "packages/{protocol,client,react}/src/**/*.{ts,tsx,css}",
  "packages/web/{index.html,vite.config.ts}",
  "packages/web/{src,public}/**/*.*",
];
const NO_SOURCE = ["**/*.test.ts", "**/*.test.tsx", "**/testing/**"];
/** Vite empties the folder before it builds, so the stamp never outlives the page that it belongs to. */
const STAMP = `${ROOT}/packages/web/dist/.vite/built-from`;

/**
 * Builds the page into `packages/web/dist`, unless it was built from exactly these sources. Tells `say` what it does.
 * Throws when the build fails.
 */
export function buildPage(say: (line: string) => void): void {
  const sources = digestSources();
  if (readStamp() === sources) return;
  say("Building the page, which takes some seconds, because it is new or its sources changed …");
  const startedAt = performance.now();
  const { status } = spawnSync("vite", ["build", "packages/web", "--logLevel", "error"], {
    cwd: ROOT,
    // Vitest, which builds the page for its browser tests, says `test`, and would get the development build of React.
    env: { ...process.env, NODE_ENV: "production" },
    stdio: ["ignore", 2, 2],
  });
  if (status !== 0) throw new Error("The page could not be built.");
  writeFileSync(STAMP, sources);
  say(`The page was built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`);
}

function digestSources(): string {
  const hash = createHash("sha256");
  const files = globSync(SOURCES, { cwd: ROOT, exclude: NO_SOURCE, withFileTypes: false });
  for (const file of files.toSorted()) {
    const content = readFileSync(`${ROOT}/${file}`);
    hash.update(`${file} ${content.length}\n`).update(content);
  }
  return hash.digest("hex");
}

function readStamp(): string | undefined {
  try {
    return readFileSync(STAMP, "utf8");
  } catch {
    return undefined; // there is no page yet
  }
}

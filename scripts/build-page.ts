import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

import { buildOnce } from "./build-once.ts";
import { packAssets } from "./pack-assets.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** Other packages count through the lockfile. */
const SOURCES = [
  "package-lock.json",
  "packages/{protocol,client,react,web}/package.json",
  "packages/{protocol,client,react}/src/**/*.{ts,tsx,css}",
  "packages/web/{index.html,vite.config.ts}",
  "packages/web/{src,public}/**/*.*",
  "scripts/pack-assets.ts",
];

/**
 * Builds the page into `packages/web/dist`, unless it was built from exactly these sources. Calls `say` with each
 * step. Throws when the build fails.
 */
export function buildPage(say: (line: string) => void): void {
  buildOnce({ name: "the page", sources: SOURCES, stamp: STAMP, run: runVite }, say);
}

/** Vite empties the folder before it builds. */
const STAMP = "packages/web/dist/.vite/built-from";

function runVite(): void {
  const { status } = spawnSync("vite", ["build", "packages/web", "--logLevel", "error"], {
    cwd: ROOT,
    // Vitest, which builds the page for its browser tests, sets it to `test`, which would select React's development
    // build.
    env: { ...process.env, NODE_ENV: "production" },
    stdio: ["ignore", 2, 2],
  });
  if (status !== 0) throw new Error("The page could not be built.");
  packAssets(`${ROOT}/packages/web/dist/assets`);
}

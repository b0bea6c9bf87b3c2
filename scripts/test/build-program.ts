import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";

import { PROGRAM_FOLDER } from "../../e2e/support/program.ts";
import { buildOnce } from "../build-once.ts";

const SOURCES = [
  "package-lock.json",
  "packages/*/package.json",
  "packages/{protocol,engine,client,server,agents,notify,store-sqlite,store-postgres,cli}/src/**/*.ts",
  "packages/cli/bundled.ts",
  "scripts/test/tsdown.config.ts",
];

/**
 * Builds the command line for the tests, unless it was built from exactly these sources. Throws when the build fails.
 */
export function buildProgram(say: (line: string) => void): void {
  const stamp = `${PROGRAM_FOLDER}/built-from`;
  buildOnce({ name: "the gateway", sources: SOURCES, stamp, run: runTsdown }, say);
}

function runTsdown(): void {
  rmSync(PROGRAM_FOLDER, { recursive: true, force: true });
  const { status } = spawnSync("tsdown", ["--config", "../../scripts/test/tsdown.config.ts"], {
    cwd: "packages/cli",
    stdio: ["ignore", 2, 2],
  });
  if (status !== 0) throw new Error("The gateway could not be built.");
}

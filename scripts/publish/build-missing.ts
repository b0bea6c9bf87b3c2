import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/**
 * Builds the package when it is missing, as in a new checkout. `npm test` builds it each time. Throws when the build
 * fails.
 */
export function buildMissingPackage(): void {
  if (existsSync("dist/holdpoint/package.json")) return;
  const { status } = spawnSync(process.execPath, ["scripts/build-package.ts"], {
    stdio: "inherit",
  });
  if (status !== 0) throw new Error("The package could not be built.");
}

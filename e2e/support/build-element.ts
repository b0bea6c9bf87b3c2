import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Builds the script of `<holdpoint-session>` into a folder, which is emptied first. Throws when the build fails. */
export function buildElement(outDir: string): void {
  const flags = ["--config", "packages/react/element.config.ts", "--outDir", resolve(outDir)];
  const { status } = spawnSync("vite", ["build", ...flags, "--logLevel", "error"], {
    cwd: ROOT,
    // Vitest sets it to `test`, which would select React's development build.
    env: { ...process.env, NODE_ENV: "production" },
    stdio: ["ignore", 2, 2],
  });
  if (status !== 0) throw new Error("The element could not be built.");
}

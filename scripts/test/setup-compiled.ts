import { spawnSync } from "node:child_process";
import { resolve } from "node:path";

/** For processes that tests start: Node keeps what it has compiled of the sources in a folder, and starts twice as fast. */
export const COMPILED: Readonly<Record<string, string>> = {
  NODE_COMPILE_CACHE: resolve("node_modules/.cache/compiled"),
};
const PRINT_VERSION = `import { main } from "./packages/cli/src/main.ts"; await main(["--version"]);`;

/** Fills the folder: a gateway that a test kills leaves nothing in it. */
export function setup(): void {
  const env = { ...process.env, ...COMPILED };
  spawnSync(process.execPath, ["--input-type=module", "--eval", PRINT_VERSION], { env });
}

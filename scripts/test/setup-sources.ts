import { spawnSync } from "node:child_process";
import { pathToFileURL } from "node:url";

import { COMPILED } from "./setup-compiled.ts";

/** Sources that processes of unit tests load. */
const LOADED = ["packages/store-sqlite/src/index.ts", "packages/agents/src/host/agent-hosts.ts"];

/**
 * Runs before unit tests: fills the folder of Node's compile cache, because a process that a test kills does not
 * write to it.
 */
export function setup(): void {
  const imports = LOADED.map(
    (path) => `await import(${JSON.stringify(pathToFileURL(path).href)});`,
  );
  spawnSync(process.execPath, ["--input-type=module", "--eval", imports.join("\n")], {
    env: { ...process.env, ...COMPILED },
    stdio: ["ignore", "ignore", "inherit"],
  });
}

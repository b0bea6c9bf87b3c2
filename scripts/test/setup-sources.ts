import { spawnSync } from "node:child_process";
import { pathToFileURL } from "node:url";

import { COMPILED } from "./setup-compiled.ts";

/** What processes of unit tests load from the sources. */
const LOADED = ["packages/store-sqlite/src/index.ts", "packages/agents/src/host/agent-hosts.ts"];

/** Before unit tests: fills the folder in which Node keeps what it has compiled. A process that a test kills leaves nothing in it. */
export function setup(): void {
  const imports = LOADED.map(
    (path) => `await import(${JSON.stringify(pathToFileURL(path).href)});`,
  );
  spawnSync(process.execPath, ["--input-type=module", "--eval", imports.join("\n")], {
    env: { ...process.env, ...COMPILED },
    stdio: ["ignore", "ignore", "inherit"],
  });
}

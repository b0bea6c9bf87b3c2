import { spawnSync } from "node:child_process";
import { resolve } from "node:path";

import { PROGRAM } from "../../e2e/support/program.ts";
import { buildGateway } from "../build-gateway.ts";

/** For processes of tests: Node caches compiled code in a folder, and starts faster. */
export const COMPILED: Readonly<Record<string, string>> = {
  NODE_COMPILE_CACHE: resolve("node_modules/.cache/compiled"),
};

/** Builds the gateway and its page, and fills the folder, because a gateway that a test kills does not write to it. */
export function setup(): void {
  buildGateway();
  spawnSync(process.execPath, [PROGRAM, "--version"], { env: { ...process.env, ...COMPILED } });
}

import { spawnSync } from "node:child_process";
import { resolve } from "node:path";

import { buildPage } from "../build-page.ts";
import { buildProgram, PROGRAM } from "./build-program.ts";

/** For processes that tests start: Node keeps what it has compiled in a folder, and starts faster. */
export const COMPILED: Readonly<Record<string, string>> = {
  NODE_COMPILE_CACHE: resolve("node_modules/.cache/compiled"),
};

const say = (line: string) => void process.stdout.write(`${line}\n`);

/** Builds the gateway and its page, and fills the folder: a gateway that a test kills leaves nothing in it. */
export function setup(): void {
  buildPage(say);
  buildProgram(say);
  spawnSync(process.execPath, [PROGRAM, "--version"], { env: { ...process.env, ...COMPILED } });
}

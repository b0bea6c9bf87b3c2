import { once } from "node:events";
import { extname } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

import { startProgram } from "@holdpoint/agents";
import { type ToolSummary, toolSummarySchema } from "@holdpoint/protocol";
import { z } from "zod";

import type { Environment } from "../environment.ts";

const LIMIT_MS = 10_000;
/** The descriptor for the program's answer; tools may print to the others. */
const ANSWER_FD = 3;

/** The tools to load. If the folder's hash has changed, they are not loaded. */
export interface ToolsToTry {
  readonly folder: string;
  readonly configPath?: string | undefined;
  readonly hash: string;
}

/**
 * Loads tools in a separate process, which may read files but neither write files nor start programs. Resolves with the
 * tools and their errors, or with the reason why there is no answer.
 */
export async function tryTools({
  env,
  ...tools
}: ToolsToTry & { readonly env: Environment }): Promise<readonly ToolSummary[] | string> {
  const { HOLDPOINT_TOKEN: _token, HOLDPOINT_TOKEN_FILE: _file, ...others } = env;
  const child = startProgram(
    process.execPath,
    ["--permission", "--allow-fs-read=*", tryToolsProgram(), JSON.stringify(tools)],
    {
      env: others,
      cwd: tools.folder,
      stdio: ["ignore", "ignore", "ignore", "pipe"],
      timeoutMs: LIMIT_MS,
    },
  );
  const answer = child.stdio[ANSWER_FD] as Readable;
  const ended = once(child, "exit") as Promise<[code: number | null]>;
  const [said, [code]] = await Promise.all([text(answer), ended]);
  const { data } = z.array(toolSummarySchema).safeParse(parse(said));
  if (data) return data;
  return code === null
    ? "loading them took more than ten seconds"
    : "loading them ended the process";
}

function parse(said: string): unknown {
  try {
    return JSON.parse(said);
  } catch {
    return undefined; // it ended without an answer
  }
}

/** TypeScript when run from sources, JavaScript in a bundle: the same extension as this module's. */
export function tryToolsProgram(): string {
  const self = fileURLToPath(import.meta.url);
  return fileURLToPath(new URL(`./try-tools-program${extname(self)}`, import.meta.url));
}

import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { text } from "node:stream/consumers";

import { spawnGateway } from "./gateway-process.ts";

export interface RunningAsk {
  readonly process: ChildProcess;
  /** The standard error output so far. */
  readonly printed: () => string;
  /** Its outcome; `code` is `null` after a kill. */
  readonly ended: Promise<{
    readonly code: number | null;
    readonly stdout: string;
    readonly stderr: string;
  }>;
}

/** Runs `holdpoint ask`. */
export function runAsk(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): RunningAsk {
  const process = spawnGateway(["ask", ...args], { cwd: tmpdir(), env });
  let printed = "";
  process.stderr!.setEncoding("utf8").on("data", (part: string) => (printed += part));
  const exited = once(process, "close") as Promise<[number | null]>;
  const ended = Promise.all([exited, text(process.stdout!)]).then(([[code], stdout]) => ({
    code,
    stdout,
    stderr: printed,
  }));
  return { process, ended, printed: () => printed };
}

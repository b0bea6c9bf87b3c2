import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { text } from "node:stream/consumers";

import { spawnGateway } from "./gateway-process.ts";

export interface RunningAsk {
  readonly process: ChildProcess;
  /** How it ended; `code` is `null` after a kill. */
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
  const exited = once(process, "exit") as Promise<[number | null]>;
  const ended = Promise.all([exited, text(process.stdout!), text(process.stderr!)]).then(
    ([[code], stdout, stderr]) => ({ code, stdout, stderr }),
  );
  return { process, ended };
}

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Gives the work a new folder, and removes it afterwards. */
export async function withFolder<TResult>(
  use: (folder: string) => Promise<TResult>,
): Promise<TResult> {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-bench-"));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a program as a child process until the work is done. Its first message is `ready`. */
export async function withProcess<TResult>(
  program: string,
  args: readonly string[],
  use: (child: ChildProcess, ready: unknown) => Promise<TResult>,
): Promise<TResult> {
  const child = fork(program, args, { execArgv: ["--expose-gc"] });
  try {
    return await use(child, await nextMessage(child));
  } finally {
    child.kill("SIGKILL");
  }
}

/** Sends a request to another process; one call at a time. */
export async function call<TAnswer>(child: ChildProcess, request: object): Promise<TAnswer> {
  child.send(request);
  return (await nextMessage(child)) as TAnswer;
}

/** Rejects when the process ends without a message. */
async function nextMessage(child: ChildProcess): Promise<unknown> {
  const heard = new AbortController();
  const { signal } = heard;
  try {
    return await Promise.race([
      once(child, "message", { signal }).then(([message]: unknown[]) => message),
      once(child, "exit", { signal }).then(([code]: unknown[]) => {
        throw new Error(`A process of the bench ended with ${String(code)}.`);
      }),
    ]);
  } finally {
    heard.abort();
  }
}

/** In the other process: reports that it is ready, then answers calls until the bench has gone. */
export function serveCalls(ready: object, answer: (request: never) => Promise<object>): void {
  process.on("message", (request) => {
    void answer(request as never).then((value) => process.send?.(value));
  });
  process.on("disconnect", () => process.exit(0));
  process.send?.(ready);
}

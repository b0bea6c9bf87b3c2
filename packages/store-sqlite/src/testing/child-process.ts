import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { underFault } from "./failing-calls.ts";

/** A second process that uses the store, and its output so far in whole lines. */
export interface Child extends AsyncDisposable {
  readonly pid: number | undefined;
  readonly lines: readonly string[];
  /** Writes a line to its standard input. */
  tell(line: string): void;
  /** Resolves once it has printed that many lines; rejects when it ends first. */
  said(count: number): Promise<void>;
  /** Sends `kill -9`; resolves once it is gone and all of its output was read. */
  kill(): Promise<void>;
  /** Resolves with its exit code and its stderr. */
  ended(): Promise<{ code: number | null; stderr: string }>;
}

/** Faults of a child's disk: a maximum size of its files, or calls that fail from some moment on. */
export interface ChildOptions {
  readonly limitKiB?: number;
  readonly failing?: Parameters<typeof underFault>[0];
}

/** Starts a program of this folder. */
export function startChild(
  program: string,
  argv: readonly string[],
  { limitKiB, failing }: ChildOptions = {},
): Child {
  const file = fileURLToPath(new URL(program, import.meta.url));
  let command: readonly string[] = [process.execPath, "--conditions=source", file, ...argv];
  if (failing !== undefined) command = underFault(failing, command);
  if (limitKiB !== undefined) {
    command = ["bash", "-c", `ulimit -f ${limitKiB} && exec "$@"`, "bash", ...command];
  }
  const [executable = "", ...rest] = command;
  const child = spawn(executable, rest, { stdio: ["pipe", "pipe", "pipe"] });
  return readChild(child);
}

function readChild(child: ChildProcess): Child {
  const lines: string[] = [];
  // It may have ended.
  child.stdin?.on("error", () => undefined);
  let stderr = "";
  let wake = (): void => {};
  const closed = once(child, "close").then(() => wake());
  createInterface({ input: child.stdout! }).on("line", (line) => {
    lines.push(line);
    wake();
  });
  child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const isGone = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const kill = async (): Promise<void> => {
    if (!isGone()) child.kill("SIGKILL");
    await closed;
  };
  return {
    pid: child.pid,
    lines,
    tell: (line) => void child.stdin?.write(`${line}\n`),
    async said(count) {
      while (lines.length < count) {
        if (isGone()) throw new Error(`The child ended after ${lines.length} lines: ${stderr}`);
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    kill,
    async ended() {
      await closed;
      return { code: child.exitCode, stderr };
    },
    [Symbol.asyncDispose]: kill,
  };
}

import { type ChildProcess, execFileSync, spawn, type SpawnOptions } from "node:child_process";
import { text } from "node:stream/consumers";

export interface ProgramOptions extends Pick<SpawnOptions, "detached" | "stdio"> {
  /** The program's whole environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Default: the root folder. */
  readonly cwd?: string;
  /** Kills the program after this time. Default: never. */
  readonly timeoutMs?: number;
}

/**
 * Starts a program for the gateway itself. Apart from the modules that start agents and their hosts, no other module
 * may start programs (`npm run check:packages`). The working directory must not be a folder that agents work in, since
 * the contents of such a folder influence some programs, such as git.
 */
export function startProgram(
  program: string,
  args: readonly string[],
  { cwd = "/", timeoutMs, ...options }: ProgramOptions,
): ChildProcess {
  const limit = timeoutMs !== undefined && { timeout: timeoutMs, killSignal: "SIGKILL" as const };
  return spawn(program, [...args], { ...options, cwd, ...limit });
}

/** A program's standard output. Rejects if the program fails, with its standard error as the message. */
export async function readProgram(
  program: string,
  args: readonly string[],
  options: Omit<ProgramOptions, "detached" | "stdio">,
): Promise<string> {
  const child = startProgram(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const [code, stdout, stderr] = await Promise.all([
    ended,
    textOf(child.stdout),
    textOf(child.stderr),
  ]);
  if (code === 0) return stdout;
  throw new Error(stderr.trim() || `${program} ended with ${code ?? "a signal"}`);
}

function textOf(output: ChildProcess["stdout"]): Promise<string> | string {
  return output === null ? "" : text(output);
}

/** A field of a process from `ps`, for systems without `/proc`. Throws if there is no such process. */
export function readProcessField(pid: number, field: "lstart" | "stat"): string {
  const options = { encoding: "utf8", cwd: "/" } as const;
  return execFileSync("ps", ["-o", `${field}=`, "-p", String(pid)], options).trim();
}

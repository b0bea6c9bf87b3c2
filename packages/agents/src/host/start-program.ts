import { type ChildProcess, execFileSync, spawn, type SpawnOptions } from "node:child_process";
import { text } from "node:stream/consumers";

export interface ProgramOptions extends Pick<SpawnOptions, "detached" | "stdio"> {
  /** The whole environment of the program. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Default: the root folder. */
  readonly cwd?: string;
  /** It is killed after so long. Default: never. */
  readonly timeoutMs?: number;
}

/**
 * Starts a program for the gateway itself. No other module does, but those that start agents and their hosts
 * (`npm run check:packages`). It does not start in a folder that agents work in: such a folder decides what some programs
 * do, such as git.
 */
export function startProgram(
  program: string,
  args: readonly string[],
  { cwd = "/", timeoutMs, ...options }: ProgramOptions,
): ChildProcess {
  const limit = timeoutMs !== undefined && { timeout: timeoutMs, killSignal: "SIGKILL" as const };
  return spawn(program, [...args], { ...options, cwd, ...limit });
}

/** What a program printed to its standard output. Rejects where it fails, with what it printed to its standard error. */
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

/** What `ps` says of a process, where there is no `/proc`. Throws where there is no such process. */
export function readProcessField(pid: number, field: "lstart" | "stat"): string {
  const options = { encoding: "utf8", cwd: "/" } as const;
  return execFileSync("ps", ["-o", `${field}=`, "-p", String(pid)], options).trim();
}

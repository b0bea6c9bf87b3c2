import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("gateway-program.ts", import.meta.url));

/** A person's bearer token that every gateway of the tests takes. */
export const TOKEN = "end-to-end-tests-0123456789abcdef";

export interface GatewayProcess extends AsyncDisposable {
  readonly url: string;
  readonly launchUrl: string;
  readonly dataDir: string;
  readonly pid: number;
  readonly process: ChildProcess;
  /** Everything on stderr so far. */
  stderr(): string;
  /** Sends the signal and resolves with the exit code (`null` after a kill). */
  stop(signal: NodeJS.Signals): Promise<number | null>;
}

export interface StartOptions {
  readonly dataDir?: string;
  readonly cwd?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the real gateway from the sources in a new process and waits until it listens. */
export async function startGateway(options: StartOptions = {}): Promise<GatewayProcess> {
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-e2e-"));
  const dataDir = options.dataDir ?? join(folder, "data");
  const work = join(folder, "work");
  await mkdir(work);
  const tokenFile = join(folder, "token");
  await writeFile(tokenFile, TOKEN, { mode: 0o600 });
  const ownToken = options.env?.["HOLDPOINT_TOKEN"] === undefined;
  const child = spawnGateway(
    ["--json", "--port", "0", "--data-dir", dataDir, ...(options.args ?? [])],
    {
      cwd: options.cwd ?? work,
      env: {
        XDG_CACHE_HOME: join(folder, "cache"),
        ...(ownToken && { HOLDPOINT_TOKEN_FILE: tokenFile }),
        ...options.env,
      },
    },
  );
  let stderr = "";
  child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const exited = once(child, "exit");
  const ready = await readyLine(child);
  if (ready === undefined) {
    await exited;
    throw new Error(`The gateway ended before it was ready: ${stderr}`);
  }
  const stop = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await exited;
    return child.exitCode;
  };
  return {
    ...ready,
    process: child,
    stderr: () => stderr,
    stop,
    async [Symbol.asyncDispose]() {
      await stop("SIGKILL");
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The command line as `npm start` runs it, without building the page. */
export function spawnGateway(
  args: readonly string[],
  options: { cwd: string; env?: Readonly<Record<string, string>>; stdin?: "pipe" },
): ChildProcess {
  return spawn(process.execPath, [PROGRAM, ...args], {
    cwd: options.cwd,
    // The config file of whoever runs the tests is none of theirs.
    env: { ...process.env, XDG_CONFIG_HOME: join(options.cwd, "no-config"), ...options.env },
    stdio: [options.stdin ?? "ignore", "pipe", "pipe"],
  });
}

interface ReadyLine {
  readonly url: string;
  readonly launchUrl: string;
  readonly dataDir: string;
  readonly pid: number;
}

async function readyLine(child: ChildProcess): Promise<ReadyLine | undefined> {
  if (!child.stdout) return undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    return JSON.parse(line) as ReadyLine;
  }
  return undefined;
}

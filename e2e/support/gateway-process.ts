import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";

import { PROGRAM } from "./program.ts";

const TAKES_PIPE_FOR_TERMINAL = "--import=data:text/javascript,process.stdout.isTTY=true";

/** A program's bearer token that every gateway of the tests accepts. */
export const TOKEN = "end-to-end-tests-0123456789abcdef";

export interface GatewayProcess extends AsyncDisposable {
  readonly url: string;
  readonly launchUrl: string;
  readonly dataDir: string;
  readonly pid: number;
  readonly process: ChildProcess;
  /** Another launch link, as a person sees it in the terminal. */
  nextLink(): Promise<string>;
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
  /** Makes it believe that it has a terminal, where it shows launch links. */
  readonly hasTerminal?: boolean;
  /** A build other than that of the current sources. */
  readonly program?: string;
}

/** Starts the real gateway, bundled from the current sources, in a new process and waits until it listens. */
export async function startGateway(options: StartOptions = {}): Promise<GatewayProcess> {
  const folder = await mkdtemp(join(tmpdir(), "e2e-"));
  const dataDir = options.dataDir ?? join(folder, "data");
  const work = join(folder, "work");
  await mkdir(work);
  const tokenFile = join(folder, "token");
  await writeFile(tokenFile, TOKEN, { mode: 0o600 });
  const ownToken = options.env?.["HOLDPOINT_TOKEN"] === undefined;
  const child = spawnGateway(
    [
      options.hasTerminal ? "--no-open" : "--json",
      "--port",
      "0",
      "--data-dir",
      dataDir,
      ...(options.args ?? []),
    ],
    {
      hasTerminal: options.hasTerminal ?? false,
      program: options.program ?? PROGRAM,
      cwd: options.cwd ?? work,
      env: {
        XDG_CACHE_HOME: join(folder, "cache"),
        ...(ownToken && { HOLDPOINT_TOKEN_FILE: tokenFile }),
        ...(options.hasTerminal && { HOLDPOINT_LOG: "info" }),
        ...options.env,
      },
    },
  );
  let stderr = "";
  child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const exited = once(child, "exit");
  const lines = readLines(child);
  const ready = options.hasTerminal
    ? await readyFromOutput(child, lines, dataDir)
    : await readyLine(lines);
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
    async nextLink() {
      const socket = connect(join(dataDir, "control.sock"));
      socket.end(JSON.stringify({ command: "link" }));
      const said = await text(socket);
      if (!said.includes("shown")) throw new Error(`The gateway shows no link: ${said}`);
      return (await findLink(lines)) ?? "";
    },
    async [Symbol.asyncDispose]() {
      await stop("SIGKILL");
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Starts the command line, bundled from the current sources. */
export function spawnGateway(
  args: readonly string[],
  options: {
    cwd: string;
    env?: Readonly<Record<string, string>>;
    stdin?: "pipe";
    hasTerminal?: boolean;
    program?: string;
  },
): ChildProcess {
  const asTerminal = options.hasTerminal ? [TAKES_PIPE_FOR_TERMINAL] : [];
  const [program = "", ...rest] = commandOf(args, asTerminal, options.program);
  const child = spawn(program, rest, {
    cwd: options.cwd,
    // The config file of the person who runs the tests is not used.
    env: { ...process.env, XDG_CONFIG_HOME: join(options.cwd, "no-config"), ...options.env },
    stdio: [options.stdin ?? "ignore", "pipe", "pipe"],
  });
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

const running = new Set<ChildProcess>();

/** Kills the gateways of a test that timed out and never cleaned up. */
export function endLeftGateways(): void {
  for (const child of running) child.kill("SIGKILL");
}

/** The program and arguments of that command line. */
export function commandOf(
  args: readonly string[],
  nodeArgs: readonly string[] = [],
  program = PROGRAM,
): readonly string[] {
  return [process.execPath, ...nodeArgs, program, ...args];
}

interface ReadyLine {
  readonly url: string;
  readonly launchUrl: string;
  readonly dataDir: string;
  readonly pid: number;
}

type Lines = AsyncIterator<string>;

function readLines(child: ChildProcess): Lines {
  if (!child.stdout) throw new Error("The gateway has no output.");
  return createInterface({ input: child.stdout })[Symbol.asyncIterator]();
}

async function readyLine(lines: Lines): Promise<ReadyLine | undefined> {
  const { value, done } = await lines.next();
  return done ? undefined : (JSON.parse(value) as ReadyLine);
}

/** With a terminal the gateway prints the launch link alone; its own address is in its log. */
async function readyFromOutput(
  child: ChildProcess,
  lines: Lines,
  dataDir: string,
): Promise<ReadyLine | undefined> {
  const listening = Promise.withResolvers<string>();
  let logged = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    logged += chunk.toString();
    const [, url] = /"url":"(http[^"]+)","msg":"listening"/.exec(logged) ?? [];
    if (url !== undefined) listening.resolve(url);
  });
  const launchUrl = await findLink(lines);
  if (launchUrl === undefined) return undefined;
  return { url: await listening.promise, launchUrl, dataDir, pid: child.pid ?? 0 };
}

/** The next launch link in the output; `undefined` when the output ends first. */
async function findLink(lines: Lines): Promise<string | undefined> {
  for (;;) {
    const { value, done } = await lines.next();
    if (done) return undefined;
    const [found] = /http\S+#code=\S+/.exec(value) ?? [];
    if (found !== undefined) return found;
  }
}

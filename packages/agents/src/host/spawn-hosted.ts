import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { agentEnvironment, withoutOwn } from "./agent-environment.ts";
import { dieWithParent } from "./die-with-parent.ts";
import type { HostSetup, HostStart } from "./host-protocol.ts";
import { type AgentFollower, HostedProcess } from "./hosted-process.ts";
import { isolate, type Isolation } from "./isolation.ts";

/** How an agent is started in its host. */
export interface HostedStart extends AgentFollower {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string | undefined;
  /** The agent gets this without `HOLDPOINT_*`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the agent is separated from the gateway's files by. Default: nothing. */
  readonly isolation?: Isolation;
}

export interface HostOptions {
  /** The host program; default: the one beside this module. A bundle has it as a separate entry. */
  readonly hostProgram?: string;
}

export type SpawnHostedOptions = HostedStart & HostOptions;

/** A host waits most of its life, so what it does may take longer, and it needs little memory. */
const HOST_FLAGS = ["--max-semi-space-size=1", "--single-threaded-gc", "--v8-pool-size=0"];
/** A Unix socket's path holds at most 104 bytes on macOS and 108 on Linux, with its end. */
const MAX_SOCKET_PATH_BYTES = 103;

/**
 * Starts an agent under an agent host and returns at once, in the shape that `spawnClaudeCodeProcess` wants. When this
 * process dies, the host ends the agent within 2 s, and the agent's input stays open until then. When the host dies, all
 * that the agent has started is killed. Needs process groups and Unix sockets: not for Windows.
 */
export function spawnHosted(options: SpawnHostedOptions): HostedProcess {
  const token = randomBytes(32).toString("base64url");
  const hosted = openHosted({ ...toPrivateSocket(), token }, options);
  startHosted(hosted, options);
  return hosted;
}

/** Starts the agent in a host that has none yet. */
export function startHosted(hosted: HostedProcess, start: HostedStart): void {
  const command = dieWithParent({
    command: start.command,
    args: start.args,
    env: withoutOwn(start.env),
    ...(start.cwd === undefined ? {} : { cwd: start.cwd }),
  });
  hosted.start(start.isolation === undefined ? command : isolate(command, start.isolation));
  hosted.follow(start);
}

/** Starts a host with this setup, for an agent that is started later. */
export function openHosted(setup: HostSetup, { hostProgram }: HostOptions = {}): HostedProcess {
  const host = startHost(hostProgram ?? defaultHostProgram(), setup);
  // A host that never came so far leaves this to its gateway.
  host.once("close", () => {
    for (const path of [setup.socketPath, setup.folder ?? []].flat()) removeLeftOver(path);
  });
  const { socketPath, token } = setup;
  return new HostedProcess({ host, socketPath, token });
}

/** A socket beside the path, or in a folder of its own where that is too long. */
export function toSocket(path: string): Pick<HostSetup, "socketPath" | "folder"> {
  const socketPath = `${path}.sock`;
  return isShort(socketPath) ? { socketPath } : toPrivateSocket();
}

function toPrivateSocket(): Pick<HostSetup, "socketPath" | "folder"> {
  const folder = createPrivateFolder(tmpdir());
  return { folder, socketPath: join(folder, "host") };
}

/** Throws when even `/tmp` is too long a path, or cannot be written to. */
export function createPrivateFolder(parent: string): string {
  const folder = mkdtempSync(join(parent, "holdpoint-"));
  if (isShort(join(folder, "host"))) return folder;
  rmSync(folder, { recursive: true });
  if (parent === "/tmp") {
    throw new Error("There is no temporary folder with a path short enough for a socket.");
  }
  return createPrivateFolder("/tmp");
}

/** A file that stays, as in a folder that has become read-only, does no harm: the next start removes it. */
function removeLeftOver(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // Nobody uses it.
  }
}

/** Whether a socket can have this path. */
export function isShort(socketPath: string): boolean {
  return Buffer.byteLength(socketPath) <= MAX_SOCKET_PATH_BYTES;
}

/** From sources it is TypeScript, from a bundle JavaScript: the same ending as this module's. */
function defaultHostProgram(): string {
  const self = fileURLToPath(import.meta.url);
  return fileURLToPath(new URL(`./host-program${extname(self)}`, import.meta.url));
}

/** Starts the host detached, so that Ctrl-C in the gateway's terminal reaches only the gateway. */
function startHost(program: string, setup: HostSetup): ChildProcess {
  const host: ChildProcess = spawn(process.execPath, [...HOST_FLAGS, program], {
    // The agent can read its parent's environment. Its own does not have the cache, with which the host starts faster.
    env: agentEnvironment(process.env, ["NODE_COMPILE_CACHE"]),
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  // When the host could not start, or died at once, its "error" or "exit" event reports that. Without a free file descriptor
  // it has no streams.
  host.stdin?.on("error", () => undefined);
  const start: HostStart = { ...setup, gatewayPid: process.pid };
  host.stdin?.end(JSON.stringify(start));
  return host;
}

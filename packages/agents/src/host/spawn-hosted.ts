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
  /** Passed to the agent without `HOLDPOINT_*`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Separates the agent from the gateway's files. Default: nothing. */
  readonly isolation?: Isolation;
}

export interface HostOptions {
  /** The host program; default: the one next to this module. A bundle has it as a separate entry. */
  readonly hostProgram?: string;
}

export type SpawnHostedOptions = HostedStart & HostOptions;

/** A host is idle most of the time, so memory matters more than speed. */
const HOST_FLAGS = ["--max-semi-space-size=1", "--single-threaded-gc", "--v8-pool-size=0"];
/** A Unix socket's path holds at most 104 bytes on macOS and 108 on Linux, including the terminating zero. */
const MAX_SOCKET_PATH_BYTES = 103;

/**
 * Starts an agent under an agent host and returns at once, in the shape that `spawnClaudeCodeProcess` expects. When
 * this process dies, the host ends the agent within 2 s and keeps the agent's input open up to its end. When the host
 * dies, all processes started by the agent are killed. Needs process groups and Unix sockets, so it does not work on
 * Windows.
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
  // A host that never got far enough to clean up leaves that to its gateway.
  host.once("close", () => {
    for (const path of [setup.socketPath, setup.folder ?? []].flat()) removeLeftOver(path);
  });
  const { socketPath, token } = setup;
  return new HostedProcess({ host, socketPath, token });
}

/** A socket next to the path, or in its own temporary folder if that path would be too long. */
export function toSocket(path: string): Pick<HostSetup, "socketPath" | "folder"> {
  const socketPath = `${path}.sock`;
  return isShort(socketPath) ? { socketPath } : toPrivateSocket();
}

function toPrivateSocket(): Pick<HostSetup, "socketPath" | "folder"> {
  const folder = createPrivateFolder(tmpdir());
  return { folder, socketPath: join(folder, "host") };
}

/** Throws if even `/tmp` is too long a path, or is not writable. */
export function createPrivateFolder(parent: string): string {
  const folder = mkdtempSync(join(parent, "holdpoint-"));
  if (isShort(join(folder, "host"))) return folder;
  rmSync(folder, { recursive: true });
  if (parent === "/tmp") {
    throw new Error("There is no temporary folder with a path short enough for a socket.");
  }
  return createPrivateFolder("/tmp");
}

/** Removes a file. A failure, as in a read-only folder, does no harm: the next start removes the file. */
function removeLeftOver(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // Unused, so it may stay.
  }
}

/** Whether a socket can have this path. */
export function isShort(socketPath: string): boolean {
  return Buffer.byteLength(socketPath) <= MAX_SOCKET_PATH_BYTES;
}

/** TypeScript when run from sources, JavaScript in a bundle: the same extension as this module's. */
export function defaultHostProgram(): string {
  const self = fileURLToPath(import.meta.url);
  return fileURLToPath(new URL(`./host-program${extname(self)}`, import.meta.url));
}

/** Starts the host detached, so that Ctrl-C in the gateway's terminal reaches only the gateway. */
function startHost(program: string, setup: HostSetup): ChildProcess {
  const host: ChildProcess = spawn(process.execPath, [...HOST_FLAGS, program], {
    // A minimal environment, since the agent can read its parent's. The compile cache makes the host start faster; the
    // agent does not get it.
    env: agentEnvironment(process.env, ["NODE_COMPILE_CACHE"]),
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  // If the host could not start or died at once, its "error" or "exit" event reports that. Without a free file
  // descriptor it has no streams.
  host.stdin?.on("error", () => undefined);
  const start: HostStart = { ...setup, gatewayPid: process.pid };
  host.stdin?.end(JSON.stringify(start));
  return host;
}

import { randomUUID } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { HOST_VERSION } from "./host-protocol.ts";
import { type HostRecord, isAlive, readRecord, removeRecord } from "./host-record.ts";
import { HostedProcess } from "./hosted-process.ts";
import { type SpawnHostedOptions, openHosted, toSocket } from "./spawn-hosted.ts";
import { endTree } from "./watchdog.ts";

export interface AgentHostsOptions {
  /** The gateway's data folder; records and sockets are in `hosts` in it. */
  readonly dataDir: string;
  /** What proves to the host with this id that a gateway is of this data folder: the same for every gateway. */
  readonly tokenFor: (hostId: string) => string;
  /** How long a host waits for the next gateway before it ends its agent. Default 10 minutes. */
  readonly holdMs?: number;
}

export interface AttachOptions {
  /** Ends the agent when it aborts. */
  readonly signal: AbortSignal;
  readonly onErrorOutput?: (text: string) => void;
}

/** The agent hosts of one data folder. They and their agents outlive the gateway. */
export interface AgentHosts {
  /**
   * Starts an agent as `spawnHosted` does, but for the session, and so that the next gateway can attach to it: it must
   * write lines of JSON, as Claude does. What it says comes again to the next gateway until it is settled.
   */
  spawn(options: SpawnHostedOptions & { readonly sessionId: string }): HostedProcess;
  /** The hosts that a gateway before this one has left with their agents in a turn. */
  list(): readonly (HostRecord & { readonly turnId: string })[];
  /** Attaches to one of them, which thaws its agent. A gateway that was attached loses it. */
  attach(host: HostRecord, options: AttachOptions): HostedProcess;
  /**
   * Ends every agent that this gateway has neither spawned nor attached, and removes what is left of dead hosts. Resolves
   * once they are gone, with the sessions of those that lived.
   */
  endLeftOver(): Promise<readonly string[]>;
}

const DEFAULT_HOLD_MS = 10 * 60_000;
/** How long a host has to end its agent in order. */
const END_GRACE_MS = 1500;
const END_POLL_MS = 20;

/** Makes the folder of the hosts, for this account alone. */
export function openAgentHosts({ dataDir, tokenFor, holdMs }: AgentHostsOptions): AgentHosts {
  const folder = join(dataDir, "hosts");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const own = new Set<string>();
  const recordPath = (id: string): string => join(folder, `${id}.json`);

  const leftOver = (): { readonly path: string; readonly record: HostRecord | undefined }[] =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".json") && !own.has(basename(name, ".json")))
      .map((name) => ({ path: join(folder, name), record: readRecord(join(folder, name)) }));

  return {
    spawn({ sessionId, ...options }) {
      const id = randomUUID();
      own.add(id);
      const hosted = openHosted(options, {
        ...toSocket(join(folder, id)),
        token: tokenFor(id),
        hold: { id, sessionId, recordPath: recordPath(id), holdMs: holdMs ?? DEFAULT_HOLD_MS },
      });
      void hosted.exited.then(() => own.delete(id));
      return hosted;
    },
    list: () =>
      leftOver().flatMap(({ record }) =>
        record?.version === HOST_VERSION && record.turnId !== undefined && isAlive(record.host)
          ? [{ ...record, turnId: record.turnId }]
          : [],
      ),
    attach({ id, socketPath }, { signal, onErrorOutput = () => undefined }) {
      own.add(id);
      const hosted = new HostedProcess({ socketPath, token: tokenFor(id), signal, onErrorOutput });
      void hosted.exited.then(() => own.delete(id));
      return hosted;
    },
    async endLeftOver() {
      const ended = await Promise.all(
        leftOver().map(async ({ path, record }) => {
          const sessionId = record && (await endHost(record)) ? [record.sessionId] : [];
          removeRecord(path);
          return sessionId;
        }),
      );
      removeStaleSockets(folder, own);
      return ended.flat();
    },
  };
}

/** Asks the host to end its agent; then whatever of them lives is killed. False: both were gone. */
async function endHost({ host, agent, mark, socketPath }: HostRecord): Promise<boolean> {
  const lived = isAlive(host) || isAlive(agent);
  if (isAlive(host)) signal(host.pid, "SIGTERM");
  for (let waited = 0; waited < END_GRACE_MS && isAlive(host); waited += END_POLL_MS) {
    await sleep(END_POLL_MS);
  }
  // Killing the host first would leave it no time to do harm, and its watchdog kills the agent.
  if (isAlive(host)) signal(host.pid, "SIGKILL");
  await endTree(isAlive(agent) ? agent.pid : undefined, mark);
  rmSync(socketPath, { force: true });
  return lived;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It went in this moment.
  }
}

function removeStaleSockets(folder: string, own: ReadonlySet<string>): void {
  for (const name of readdirSync(folder)) {
    if (!own.has(name.replace(/\..*$/u, ""))) rmSync(join(folder, name), { force: true });
  }
}

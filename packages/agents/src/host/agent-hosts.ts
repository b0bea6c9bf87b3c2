import { randomUUID } from "node:crypto";
import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { HOST_VERSION } from "./host-protocol.ts";
import { type HostRecord, isAlive, removeQuietly } from "./host-record.ts";
import { HostRecords } from "./host-records.ts";
import { AgentLostError, HostedProcess } from "./hosted-process.ts";
import { type HostOptions, openHosted, toSocket } from "./spawn-hosted.ts";
import { endTree } from "./watchdog.ts";

export interface AgentHostsOptions {
  /** The gateway's data folder, whose `hosts` folder holds records and sockets. */
  readonly dataDir: string;
  /**
   * The token that proves to the host with this id that a gateway belongs to this data folder: the same for every
   * gateway.
   */
  readonly tokenFor: (hostId: string) => string;
  /** How long a host waits for the next gateway before it ends its agent. Default: 10 minutes. */
  readonly holdMs?: number;
}

/** The agent hosts of one data folder. They and their agents outlive the gateway. */
export interface AgentHosts {
  /**
   * Starts a host for an agent of the session; `startHosted` then starts the agent in it. The next gateway can attach
   * to the host, so the agent must write lines of JSON, as Claude does. Its messages are repeated to the next gateway
   * until they are settled.
   */
  open(options: HostOptions & { readonly sessionId: string }): HostedProcess;
  /** The hosts that previous gateways left with their agents in a turn, of any version. */
  list(): readonly (HostRecord & { readonly turnId: string })[];
  /**
   * Attaches to a left host, which thaws its agent. A gateway that was attached to it loses the agent. Rejects if the
   * host is lost, has another version (`AgentLostError`), or does not answer for ten seconds; host and agent have then
   * been ended.
   */
  attach(host: HostRecord): Promise<HostedProcess>;
  /** Resolves to whether every agent of this session is gone; those that are being ended get a moment for it. */
  untilGone(sessionId: string): Promise<boolean>;
  /** Whether it is certain that the response to this permission request reached no agent: its host died before. */
  neverAnswered(requestId: string): boolean;
  /**
   * Ends every agent that this gateway has neither opened nor listed, such as one whose host is dead, and cleans up
   * after dead hosts. Resolves once they are gone, with the sessions of agents that were alive.
   */
  endLeftOver(): Promise<readonly string[]>;
}

const DEFAULT_HOLD_MS = 10 * 60_000;
/** How long a host has to answer an attaching gateway. */
const ATTACH_LIMIT_MS = 10_000;
/** How long a host has to end its agent gracefully. */
const END_GRACE_MS = 1500;
const END_POLL_MS = 20;

/** Does nothing before its first use. */
export function openAgentHosts(options: AgentHostsOptions): AgentHosts {
  const { dataDir, tokenFor, holdMs = DEFAULT_HOLD_MS } = options;
  const folder = join(dataDir, "hosts");
  const records = new HostRecords(folder);
  /** The hosts that this gateway has started, listed or attached to. */
  const own = new Set<string>();
  const isOwn = (path: string): boolean => own.has(basename(path).split(".", 1).join(""));

  return {
    open({ sessionId, ...options }) {
      const id = randomUUID();
      own.add(id);
      makeFolder(folder);
      const setup = {
        ...toSocket(join(folder, id)),
        token: tokenFor(id),
        hold: { id, sessionId, recordPath: records.pathOf(id), holdMs },
      };
      return openHosted(setup, options);
    },
    list() {
      const live = records
        .all()
        .flatMap(({ record }) =>
          record?.turnId !== undefined && isAlive(record.host)
            ? [{ ...record, turnId: record.turnId }]
            : [],
        );
      for (const { id } of live) own.add(id);
      return live;
    },
    attach(record) {
      own.add(record.id);
      return attachTo(record, tokenFor(record.id)).catch(async (error: unknown) => {
        // The agent belongs to the other gateway.
        if (error instanceof AgentLostError && error.reason === "replaced") throw error;
        await endHost(record);
        records.remove(records.pathOf(record.id));
        throw error;
      });
    },
    untilGone: (sessionId) => records.untilGone(sessionId),
    neverAnswered: (requestId) => records.neverAnswered(requestId),
    async endLeftOver() {
      const ended = await Promise.all(
        records.all().map(async ({ path, record }) => {
          if (isOwn(path)) return [];
          const sessionId = record && (await endHost(record)) ? [record.sessionId] : [];
          records.remove(path);
          return sessionId;
        }),
      );
      for (const name of records.names()) {
        if (!isOwn(name)) removeQuietly(join(folder, name));
      }
      return ended.flat();
    },
  };
}

async function attachTo(
  { version, socketPath }: HostRecord,
  token: string,
): Promise<HostedProcess> {
  if (version !== HOST_VERSION) throw new AgentLostError("version");
  const hosted = new HostedProcess({ socketPath, token });
  const answered = new AbortController();
  const silence = sleep(ATTACH_LIMIT_MS, undefined, { signal: answered.signal });
  const state = await Promise.race([hosted.attached, silence]);
  silence.catch(() => undefined); // it has answered
  answered.abort();
  if (state) return hosted;
  throw hosted.failure ?? new AgentLostError("silent");
}

/** Asks the host to end its agent, then kills both if still alive. Returns false if both were gone already. */
async function endHost({ host, agent, mark, socketPath }: HostRecord): Promise<boolean> {
  const lived = isAlive(host) || isAlive(agent);
  if (isAlive(host)) signal(host.pid, "SIGTERM");
  for (let waited = 0; waited < END_GRACE_MS && isAlive(host); waited += END_POLL_MS) {
    await sleep(END_POLL_MS);
  }
  // The host is killed first, so that it can do no harm; its watchdog kills the agent.
  if (isAlive(host)) signal(host.pid, "SIGKILL");
  await endTree(isAlive(agent) ? agent.pid : undefined, mark);
  removeQuietly(socketPath);
  return lived;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has just ended.
  }
}

/** Creates the folder, but no parents: a data folder that was moved away must not reappear empty. */
function makeFolder(path: string): void {
  if (!existsSync(path)) mkdirSync(path, { mode: 0o700 });
  chmodSync(path, 0o700);
}

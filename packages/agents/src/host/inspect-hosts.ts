import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { HOST_VERSION } from "./host-protocol.ts";
import { type HostRecord, isAlive, readRecord } from "./host-record.ts";
import { readProcessField } from "./start-program.ts";

/**
 * The state of an agent host:
 *
 * - `running`: the host and its agent are alive.
 * - `held`: the agent is frozen, waiting for the next gateway.
 * - `ending`: the agent is gone, and its host is about to end.
 * - `hostless`: the agent is alive, but its host is dead.
 * - `left`: both are dead, and their record is still there.
 * - `other_version`: the host is alive, with another protocol version.
 * - `unreadable`: the file is not a record.
 */
export type HostState =
  | "running"
  | "held"
  | "ending"
  | "hostless"
  | "left"
  | "other_version"
  | "unreadable";

/** An agent host's record and the state of its processes. */
export interface HostReport {
  readonly path: string;
  readonly state: HostState;
  readonly sessionId?: string;
  readonly hostPid?: number;
  readonly agentPid?: number;
}

export interface HostsReport {
  readonly hosts: readonly HostReport[];
  /** Sockets without a record, with their modification time; their hosts are starting or gone. */
  readonly strays: readonly { readonly path: string; readonly changedAtMs: number }[];
}

/** Reports the agent hosts of a data folder, whether or not a gateway runs. Changes nothing and sends no signals. */
export function inspectHosts(dataDir: string): HostsReport {
  const folder = join(dataDir, "hosts");
  const names = existsSync(folder) ? readdirSync(folder).toSorted() : [];
  const records = names
    .filter((name) => name.endsWith(".json"))
    .map((name) => ({ path: join(folder, name), record: readRecord(join(folder, name)) }));
  const known = new Set(records.map(({ record }) => record?.socketPath));
  const strays = names
    .filter((name) => name.endsWith(".sock"))
    .map((name) => join(folder, name))
    .filter((path) => !known.has(path))
    .flatMap((path) => {
      const entry = statSync(path, { throwIfNoEntry: false });
      return entry === undefined ? [] : [{ path, changedAtMs: entry.mtimeMs }];
    });
  return { hosts: records.map(({ path, record }) => report(path, record)), strays };
}

function report(path: string, record: HostRecord | undefined): HostReport {
  if (record === undefined) return { path, state: "unreadable" };
  const { sessionId, host, agent } = record;
  return { path, state: stateOf(record), sessionId, hostPid: host.pid, agentPid: agent.pid };
}

function stateOf({ version, host, agent }: HostRecord): HostState {
  if (!isAlive(host)) return isAlive(agent) ? "hostless" : "left";
  if (version !== HOST_VERSION) return "other_version";
  if (!isAlive(agent)) return "ending";
  return isStopped(agent.pid) ? "held" : "running";
}

function isStopped(pid: number): boolean {
  try {
    if (process.platform !== "linux") {
      return readProcessField(pid, "stat").startsWith("T");
    }
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    return text.slice(text.lastIndexOf(")") + 2).startsWith("T");
  } catch {
    return false; // it has just ended
  }
}

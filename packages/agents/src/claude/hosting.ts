import type { SpawnedProcess } from "@anthropic-ai/claude-agent-sdk";
import type { AgentAdapter, ApprovedCall } from "@holdpoint/engine";

import type { AgentHosts } from "../host/agent-hosts.ts";
import type { HostRecord } from "../host/host-record.ts";
import type { HostedProcess } from "../host/hosted-process.ts";
import type { Isolation } from "../host/isolation.ts";
import { type HostedStart, spawnHosted, startHosted } from "../host/spawn-hosted.ts";
import { hasChangedNothing } from "./has-changed-nothing.ts";

/** Starts the agent's program so that it cannot outlive the gateway. `spawnHosted` is an implementation. */
export type HostProcess = (options: Omit<HostedStart, "isolation">) => SpawnedProcess;

/** Where an agent process will run. */
export interface Place {
  /** Starts the process there; if it runs already, only connects the SDK to it. */
  readonly spawn: HostProcess;
  /** The process's host, if it exists before the process. The caller disposes it if no process is started in it. */
  readonly hosted?: HostedProcess;
}

export interface HostingOptions {
  /** Default: an agent host for each process, on systems with process groups and Unix sockets. */
  readonly hostProcess?: HostProcess;
  /** Keeps agents for the next gateway. Default: an agent ends with its gateway. Ignored if `hostProcess` is set. */
  readonly hosts?: Omit<AgentHosts, "endLeftOver">;
  /** Separates agents from the gateway's files, unless `hostProcess` does that. */
  readonly isolation?: Isolation;
}

/** Starts the agent's processes under agent hosts, and finds those left by another gateway. */
export interface Hosting {
  /** Starts a process that belongs to no session and ends with this gateway. */
  readonly spawn: HostProcess;
  findLive(): Awaited<ReturnType<NonNullable<AgentAdapter["findLive"]>>>;
  /** The previous gateway's note about the agent that it left in this session. */
  noteOf(sessionId: string): string | undefined;
  /** Whether it is certain that this approved call of the session has not acted. */
  hasNotActed(sessionId: string, approved: ApprovedCall): Promise<boolean>;
  /**
   * A place for a process of this session, or the place of the process that was left. Rejects if that process is gone.
   */
  prepare(sessionId: string, isLeft: boolean): Promise<Place>;
}

/** `undefined` where agent hosts are not supported: the SDK then starts its own processes. */
export function createHosting(options: HostingOptions): Hosting | undefined {
  const { hostProcess, hosts, isolation } = options;
  if (hostProcess === undefined && process.platform === "win32") return undefined;
  const left = new Map<string, HostRecord>();
  const takeLeft = (sessionId: string): HostRecord => {
    const record = left.get(sessionId);
    if (record === undefined) throw new Error("The agent of this session is gone.");
    left.delete(sessionId);
    return record;
  };
  const spawn: HostProcess =
    hostProcess ?? ((start) => spawnHosted({ ...start, ...(isolation && { isolation }) }));
  return {
    spawn,
    findLive() {
      if (hosts === undefined) return [];
      return hosts.list().map((record) => {
        const { sessionId, turnId } = record;
        left.set(sessionId, record);
        return { sessionId, turnId };
      });
    },
    noteOf: (sessionId) => left.get(sessionId)?.note,
    async hasNotActed(sessionId, approved) {
      if (hostProcess || !hosts) return false;
      if (!(await hosts.untilGone(sessionId))) return false;
      const { requestId } = approved;
      const neverCame = requestId !== undefined && hosts.neverAnswered(requestId);
      return neverCame || hasChangedNothing(approved.interaction);
    },
    async prepare(sessionId, isLeft) {
      if (hostProcess || !hosts) return { spawn };
      const isolated = isolation && { isolation };
      const hosted = isLeft ? await hosts.attach(takeLeft(sessionId)) : hosts.open({ sessionId });
      const spawnKept: HostProcess = (start) => {
        if (isLeft) hosted.follow(start);
        else startHosted(hosted, { ...start, ...isolated });
        return hosted;
      };
      return { spawn: spawnKept, hosted };
    },
  };
}

import type { SpawnedProcess } from "@anthropic-ai/claude-agent-sdk";
import type { AgentAdapter } from "@holdpoint/engine";

import type { AgentHosts, AttachOptions } from "../host/agent-hosts.ts";
import type { Isolation } from "../host/isolation.ts";
import { spawnHosted } from "../host/spawn-hosted.ts";

/** Starts the agent's program so that it cannot outlive the gateway; `spawnHosted` is one. */
export type HostProcess = (options: {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly onErrorOutput?: (text: string) => void;
}) => SpawnedProcess;

export interface HostingOptions {
  /** Default: an agent host for each process, on systems that have process groups and Unix sockets. */
  readonly hostProcess?: HostProcess;
  /** Keeps agents for the next gateway. Default: an agent ends with its gateway. Ignored where there is a `hostProcess`. */
  readonly hosts?: Pick<AgentHosts, "spawn" | "list" | "attach">;
  /** What the agents are separated from the gateway's files by, unless a `hostProcess` does that. */
  readonly isolation?: Isolation;
}

/** Starts the agent's processes under agent hosts, and finds those that another gateway has left. */
export interface Hosting {
  findLive(): Awaited<ReturnType<NonNullable<AgentAdapter["findLive"]>>>;
  /** How a process of this session is started, or attached if it is one that was left. Rejects when that one is gone. */
  forSession(sessionId: string, isLeft: boolean): HostProcess;
}

/** `undefined` where there can be no agent hosts: the SDK then starts its processes by itself. */
export function createHosting(options: HostingOptions): Hosting | undefined {
  const { hostProcess, hosts, isolation } = options;
  if (hostProcess === undefined && process.platform === "win32") return undefined;
  const left = new Map<string, (process: AttachOptions) => SpawnedProcess>();
  return {
    findLive() {
      if (hosts === undefined) return [];
      return hosts.list().map((record) => {
        const { sessionId, turnId } = record;
        left.set(sessionId, (attaching) => hosts.attach(record, attaching));
        return { sessionId, turnId };
      });
    },
    forSession(sessionId, isLeft) {
      if (isLeft) {
        const agent = left.get(sessionId);
        if (agent === undefined) throw new Error("The agent of this session is gone.");
        left.delete(sessionId);
        return agent;
      }
      if (hostProcess) return hostProcess;
      const isolated = isolation && { isolation };
      return (start) =>
        hosts
          ? hosts.spawn({ ...start, ...isolated, sessionId })
          : spawnHosted({ ...start, ...isolated });
    },
  };
}

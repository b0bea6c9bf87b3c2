import {
  type AgentHosts,
  createClaudeAdapter as createAdapter,
  type OpenTools,
  type ProtectedPaths,
} from "@holdpoint/agents";
import type { AgentAdapter, Clock, Ids } from "@holdpoint/engine";

export { createDemoAdapter, openAgentHosts } from "@holdpoint/agents";
export type {
  AgentHosts,
  AgentHostsOptions,
  DemoAdapterOptions,
  OpenTools,
  ProtectedPaths,
} from "@holdpoint/agents";

/** What Claude needs. The words are the adapter's own; no type of the SDK is among them, which need not be installed. */
export interface ClaudeOptions {
  /** The environment of this process. The agent gets of it what it needs, and never `HOLDPOINT_*`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Names of variables that the person lets the agent have as well. */
  readonly environmentNames?: readonly string[];
  readonly clock: Clock;
  readonly ids: Ids;
  /** Where Claude keeps its settings, login and transcripts; default: `CLAUDE_CONFIG_DIR`, or its own default. */
  readonly configDir?: string;
  /** Which settings files count. Default: the person's own only, since others could come with a clone. */
  readonly settingSources?: readonly ("user" | "project" | "local")[];
  /** Files and folders that no call of a tool may reach, or change unasked. Default: none. */
  readonly protectedPaths?: ProtectedPaths;
  /** Default: the program that comes with the SDK. */
  readonly pathToClaudeCodeExecutable?: string;
  /** Gives each process of a session's agent access to the gateway's tools. */
  readonly openTools?: OpenTools;
  /** Keeps agents for the next gateway. Default: an agent ends with its gateway. */
  readonly hosts?: Pick<AgentHosts, "open" | "list" | "attach">;
  /** How long a process idles between turns before it is ended, in milliseconds. Default 10 minutes. */
  readonly idleMs?: number;
  /** How many processes idle at the same time. Beyond that, the one that has been idle for longest ends. Default 4. */
  readonly maxIdle?: number;
}

/** Claude, by its own SDK, which is loaded with the first turn and need not be installed. */
export function createClaudeAdapter(options: ClaudeOptions): AgentAdapter {
  return createAdapter(options);
}

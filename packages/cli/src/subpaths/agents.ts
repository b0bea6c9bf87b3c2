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

/** Options of the Claude adapter, without types of the SDK, which need not be installed. */
export interface ClaudeOptions {
  /** The environment of this process. The agent gets only the variables it needs, and never `HOLDPOINT_*`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Names of further variables that the person lets the agent have. */
  readonly environmentNames?: readonly string[];
  readonly clock: Clock;
  readonly ids: Ids;
  /** Where Claude keeps its settings, login and transcripts; default: `CLAUDE_CONFIG_DIR`, or its own default. */
  readonly configDir?: string;
  /** Which settings files are used. Default: the person's own only, since others could come with a clone. */
  readonly settingSources?: readonly ("user" | "project" | "local")[];
  /** Files and folders that no tool call may reach (`deny`), or change without asking (`ask`). Default: none. */
  readonly protectedPaths?: ProtectedPaths;
  /** Default: the program that comes with the SDK. */
  readonly pathToClaudeCodeExecutable?: string;
  /** Gives each agent process of a session access to the gateway's tools. */
  readonly openTools?: OpenTools;
  /** Keeps agents for the next gateway. Default: an agent ends with its gateway. */
  readonly hosts?: Omit<AgentHosts, "endLeftOver">;
  /** How long a process idles between turns before it is ended, in milliseconds. Default: 10 minutes. */
  readonly idleMs?: number;
  /**
   * How many processes may idle at the same time. Beyond that, the one that has been idle for longest ends. Default: 4.
   */
  readonly maxIdle?: number;
}

/** Claude through its SDK, which is an optional dependency and is loaded with the first turn. */
export function createClaudeAdapter(options: ClaudeOptions): AgentAdapter {
  return createAdapter(options);
}

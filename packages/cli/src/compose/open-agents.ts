import { join } from "node:path";

import {
  createClaudeAdapter,
  createDemoAdapter,
  createExternalAdapter,
  createTerminalAdapter,
  type TerminalKind,
  TERMINALS,
  type ClaudeAdapterOptions,
  type DemoAdapterOptions,
  type ExternalAdapter,
  isolatedEnvironment,
  type Isolation,
  openAgentHosts,
  type AgentHosts,
  type OpenTools,
} from "@holdpoint/agents";
import { type AgentAdapter, createSystemClock, createSystemIds } from "@holdpoint/engine";

import { secretFiles } from "../config/secret-files.ts";
import type { Settings } from "../config/settings.ts";
import { guardedPaths } from "../trust/guarded-paths.ts";
import { UsageError } from "../usage-error.ts";

const DESCRIBE_LIMIT_MS = 10_000;

export interface OpenAgentsOptions {
  readonly settings: Settings;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder for files that may be lost, such as the demo agent's scratch folders. */
  readonly cacheDir: string;
  /** The isolation that agents run in, if the person asked for it. */
  readonly isolation?: Isolation | undefined;
  /** Folder of the person's own settings. */
  readonly configDir: string;
  /** The token that proves to an agent host that a gateway belongs to this data folder. */
  readonly hostToken: (hostId: string) => string;
  /** Gives an agent's session access to the gateway's tools. */
  readonly openTools: OpenTools;
  /** Calls a gateway tool for an agent that runs in the gateway's own process. Never rejects. */
  readonly callTool: NonNullable<DemoAdapterOptions["callTool"]>;
}

/** Every agent that a session can be started with. Disposing it ends the agents. */
export interface OpenAgents extends AsyncDisposable {
  /** By name; the default agent comes first. */
  readonly adapters: ReadonlyMap<string, AgentAdapter>;
  /** The agents that people start themselves, which call the gateway's tools over MCP. */
  readonly external: ExternalAdapter;
  /** Ends agents left by previous gateways that no adapter has found again. */
  endLeftOver(): Promise<void>;
}

const KINDS: readonly TerminalKind[] = ["claude", "codex"];

/** Creates the adapters. Rejects with `UsageError` if the settings name an unknown agent. */
export async function openAgents(options: OpenAgentsOptions): Promise<OpenAgents> {
  await using opening = new AsyncDisposableStack();
  const hosts = process.platform === "win32" ? undefined : openHosts(options);
  const agents = createAgents(options, hosts);
  const external = createExternalAdapter();
  const terminals = KINDS.map(
    (kind) => [TERMINALS[kind].agent, createTerminalAdapter(kind)] as const,
  );
  const passive = [["mcp", external] as const, ...terminals];
  for (const agent of [...agents.values(), ...new Map(passive).values()]) opening.use(agent);
  const ordered = await orderAgents(agents, options.settings.agent);
  const open = opening.move();
  return {
    adapters: new Map<string, AgentAdapter>([...ordered, ...passive]),
    external,
    async endLeftOver() {
      await hosts?.endLeftOver();
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

function openHosts({ settings, hostToken }: OpenAgentsOptions): AgentHosts {
  return openAgentHosts({ dataDir: settings.dataDir, tokenFor: hostToken });
}

function createAgents(
  { settings, env, cacheDir, configDir, isolation, openTools, callTool }: OpenAgentsOptions,
  hosts: AgentHosts | undefined,
): Map<string, AgentAdapter> {
  const seams = { clock: createSystemClock(), ids: createSystemIds() };
  const { claudeSettingSources: settingSources, agentEnvironment: environmentNames } = settings;
  const guarded = guardedPaths({
    ...settings,
    configPath: settings.config,
    secretFiles: secretFiles(settings, env),
    userConfigPath: configDir,
    directories: [process.cwd(), settings.cwd],
  });
  const protectedPaths = { deny: guarded.closed, ask: guarded.askBeforeChange };
  const shared: Omit<ClaudeAdapterOptions, "settingSources"> = {
    ...seams,
    env: isolatedEnvironment(env, isolation),
    openTools,
    protectedPaths,
    checksDir: join(settings.dataDir, "checks"),
    ...(hosts && { hosts }),
    ...(isolation && { isolation }),
    ...(environmentNames && { environmentNames }),
    maxIdle: settings.maxIdleAgents,
  };
  return new Map<string, AgentAdapter>([
    ["claude", createClaudeAdapter({ ...shared, ...(settingSources && { settingSources }) })],
    ["demo", createDemoAdapter({ ...seams, callTool, scratchRoot: join(cacheDir, "demo") })],
  ]);
}

/** Puts the named agent first, then agents that can be started. */
async function orderAgents(
  agents: ReadonlyMap<string, AgentAdapter>,
  first: string | undefined,
): Promise<[string, AgentAdapter][]> {
  if (first !== undefined && !agents.has(first)) {
    throw new UsageError(
      `There is no agent "${first}". Choose one of: ${[...agents.keys()].join(", ")}.`,
    );
  }
  const signal = AbortSignal.timeout(DESCRIBE_LIMIT_MS);
  const ranked = await Promise.all(
    [...agents].map(async ([name, adapter]) => {
      const { available } = await adapter.describe({ signal });
      const rank = name === first ? 0 : available ? 1 : 2;
      return { name, adapter, rank };
    }),
  );
  return ranked
    .toSorted((left, right) => left.rank - right.rank)
    .map(({ name, adapter }) => [name, adapter]);
}

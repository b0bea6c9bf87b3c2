import { userInfo } from "node:os";
import { join } from "node:path";

import {
  createClaudeAdapter,
  createDemoAdapter,
  createExternalAdapter,
  type OpenTools,
} from "@holdpoint/agents";
import {
  type AgentAdapter,
  createSystemClock,
  createSystemIds,
  openGateway,
  type Tool,
} from "@holdpoint/engine";
import { createServer, type GatewayServer } from "@holdpoint/server";
import { openSqliteStore } from "@holdpoint/store-sqlite";
import type { Logger } from "pino";

import { openControl } from "./control/open-control.ts";
import { listenOnFreePort } from "./listen.ts";
import { refuseCwd } from "./refuse-cwd.ts";
import type { Settings } from "./settings.ts";
import { followTools, openTools } from "./tools/open-tools.ts";
import { UsageError } from "./usage-error.ts";
import { VERSION } from "./version.ts";

export interface ComposeOptions {
  readonly settings: Settings;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder of the built web interface. */
  readonly webRoot: string;
  /** Folder for files that may be lost, such as the demo agent's scratch folders. */
  readonly cacheDir: string;
  readonly log: Logger;
  readonly say: (line: string) => void;
  /** Shows a launch link to who sits at the gateway's terminal; absent where it has none. */
  readonly showLink?: (launchUrl: string) => void;
}

const NO_TERMINAL =
  "It runs without a terminal to show a link in, and elsewhere agents could read it. Start it again for a link: what waits is kept, and whoever is signed in stays so.";

/** A gateway that listens. Closing it keeps what waits: it can be answered after the next start. */
export interface RunningGateway {
  readonly url: string;
  readonly port: number;
  /** Labels of the agents that can be started, the one offered first in front. */
  readonly agents: readonly string[];
  /** Each agent that cannot be started, with the reason. */
  readonly missing: readonly string[];
  /** Names of the tools that were loaded. */
  readonly tools: readonly string[];
  createLaunchUrl(): string;
  close(): Promise<void>;
}

/** Puts store, agents, engine and server together. Throws `UsageError` for what the person can mend. */
export async function compose(options: ComposeOptions): Promise<RunningGateway> {
  const { settings, log } = options;
  const clock = createSystemClock();
  await using starting = new AsyncDisposableStack();
  const store = starting.use(await openSqliteStore({ dataDir: settings.dataDir }));
  const unusable = await refuseCwd(settings.cwd, settings.dataDir);
  if (unusable !== undefined)
    throw new UsageError(`${settings.cwd}: ${unusable} Choose another with --cwd.`);

  // A turn that was queued before the start begins before the server listens.
  const listening = Promise.withResolvers<GatewayServer | undefined>();
  const openToolAccess: OpenTools = async (sessionId) =>
    (await listening.promise)?.openToolAccess(sessionId);
  const agents = await orderAgents(createAgents(options, openToolAccess), settings.agent);
  const external = createExternalAdapter();
  agents.set("mcp", external);
  for (const agent of agents.values()) starting.use(agent);
  const box = await openTools(settings, options.say);
  const gateway = starting.use(
    await openGateway({
      store,
      credentials: store.credentials,
      clock,
      ids: createSystemIds(),
      agents,
      defaultCwd: settings.cwd,
      ...(box && { tools: box.tools }),
      refuseCwd: (cwd) => refuseCwd(cwd, settings.dataDir),
      ...(settings.holdTimeoutMs !== undefined && { holdTimeoutMs: settings.holdTimeoutMs }),
      ...(settings.onDisconnect !== undefined && { onDisconnect: settings.onDisconnect }),
      ...(settings.alwaysDays !== undefined && { grants: { alwaysDays: settings.alwaysDays } }),
      onToolLog: ({ level, message, ...about }) => log[level](about, message),
      onError: (error, where) => log.error({ err: error, where }, "failed"),
    }),
  );
  const server = starting.use(
    createServer({
      gateway,
      clock,
      version: VERSION,
      personName: personName(),
      ...(settings.toolHoldLimitMs !== undefined && { toolHoldLimitMs: settings.toolHoldLimitMs }),
      takeMessage: (sessionId) => external.takeMessage(sessionId),
      ...(box && { ownTools: () => box.summaries }),
      webRoot: options.webRoot,
      embedOrigins: settings.embedOrigins,
      log,
      ...(settings.publicUrl !== undefined && { publicUrl: settings.publicUrl }),
      ...(settings.token !== undefined && { personToken: settings.token }),
    }),
  );
  // Where nobody will listen, an agent that waits for its tools goes on without.
  starting.defer(() => listening.resolve(undefined));
  const { url, port } = await listenOnFreePort(settings, (at) => server.listen(at), options.say);
  listening.resolve(server);
  const issueAgentToken = (label: string) => server.issueAgentToken(label);
  const showLink = (): void => {
    if (options.showLink === undefined) throw new UsageError(NO_TERMINAL);
    options.showLink(server.createLaunchUrl());
  };
  const { dataDir } = settings;
  const control = await openControl({ dataDir, issueAgentToken, showLink }).catch(
    (error: unknown) => log.warn({ err: error }, "the command line cannot reach this gateway"),
  );
  if (control) starting.use(control);
  if (box && settings.watch) {
    const onTools = async (tools: readonly Tool[]): Promise<void> => {
      gateway.tools.replace(tools);
      await server.announceTools();
    };
    const onError = (error: unknown): void => log.error({ err: error, where: "tools" }, "failed");
    starting.use(followTools({ box, clock, onTools, onError }));
  }

  const caller = { principal: "person", person: "owner", client: "cli" } as const;
  const { items: infos } = await gateway.listAgents(caller);
  const running = starting.move();
  return {
    url,
    port,
    agents: infos.filter((agent) => agent.available).map((agent) => agent.label),
    missing: infos
      .filter((agent) => !agent.available)
      .map(({ label, unavailableReason }) => `${label}: ${unavailableReason ?? "unavailable"}`),
    tools: box?.tools.map(({ name }) => name) ?? [],
    createLaunchUrl: () => server.createLaunchUrl(),
    close: async () => {
      await gateway.close({ reason: "draining" });
      await running.disposeAsync();
    },
  };
}

function createAgents(
  { settings, env, cacheDir }: ComposeOptions,
  openToolAccess: OpenTools,
): Map<string, AgentAdapter> {
  const seams = { clock: createSystemClock(), ids: createSystemIds() };
  return new Map<string, AgentAdapter>([
    [
      "claude",
      createClaudeAdapter({
        ...seams,
        env,
        openTools: openToolAccess,
        ...(settings.claudeSettingSources && { settingSources: settings.claudeSettingSources }),
      }),
    ],
    ["demo", createDemoAdapter({ ...seams, scratchRoot: join(cacheDir, "demo") })],
  ]);
}

/** The named agent first; else those that can be started first. */
async function orderAgents(
  agents: Map<string, AgentAdapter>,
  first: string | undefined,
): Promise<Map<string, AgentAdapter>> {
  if (first !== undefined && !agents.has(first)) {
    throw new UsageError(
      `There is no agent "${first}". Choose one of: ${[...agents.keys()].join(", ")}.`,
    );
  }
  const signal = AbortSignal.timeout(10_000);
  const ranked = await Promise.all(
    [...agents].map(async ([name, adapter]) => {
      const { available } = await adapter.describe({ signal });
      return { name, adapter, rank: name === first ? 0 : available ? 1 : 2 };
    }),
  );
  const sorted = ranked.toSorted((left, right) => left.rank - right.rank);
  return new Map(sorted.map(({ name, adapter }) => [name, adapter]));
}

/** What others read beside an answer: the name of the account that the gateway runs under. */
function personName(): string {
  try {
    return userInfo().username;
  } catch {
    // An account without an entry in the system's list, as in some containers.
    return "Owner";
  }
}

import {
  type ExternalAdapter,
  type Isolation,
  type OpenTools,
  CallMarks,
  TerminalAsks,
} from "@holdpoint/agents";
import {
  type AgentAdapter,
  type Clock,
  createSystemClock,
  createSystemIds,
  type Gateway,
  type GatewayOptions,
  type Ids,
  openGateway,
  type Tool,
} from "@holdpoint/engine";
import type { Notifications } from "@holdpoint/notify";
import { urlAt } from "@holdpoint/protocol";
import {
  createServer,
  type GatewayServer,
  type NodePlace,
  type PeopleOptions,
  type ServerOptions,
  toPeoplePort,
} from "@holdpoint/server";
import type { Logger } from "pino";

import type { GatewayStatus } from "./control/control-message.ts";
import { openControl } from "./control/open-control.ts";
import { createFileLister } from "./files/list-files.ts";
import { followTls, type Tls } from "./follow-tls.ts";
import { statusReader } from "./gateway-status.ts";
import { listenOnPort } from "./listen.ts";
import { toNotificationMetrics } from "./notification-metrics.ts";
import { openAgents, type OpenAgentsOptions } from "./open-agents.ts";
import type { OwnFolder } from "./open-folder.ts";
import { openIsolation } from "./open-isolation.ts";
import { openNotifications } from "./open-notifications.ts";
import { openPeople } from "./open-people.ts";
import type { OpenedStore } from "./open-store.ts";
import { followFolder, openTools } from "./open-tools.ts";
import { openSharedStates, openUsedStates } from "./open-used-states.ts";
import { personName } from "./person-name.ts";
import { readTls } from "./read-tls.ts";
import { assertUsableCwd, refuseCwd } from "./refuse-cwd.ts";
import { assertIssuersNamed, assertKnownIssuers, groupsNamedIn } from "./responders-config.ts";
import { pruneDaily, pruneFor } from "./retention.ts";
import type { Settings } from "./settings.ts";
import { openTelemetry, type Telemetry } from "./telemetry/open-telemetry.ts";
import type { Terminal } from "./terminal.ts";
import { isAlive, openDoor } from "./terminals/open-door.ts";
import { containFaults } from "./tools/contain-faults.ts";
import { logTools } from "./tools/log-tools.ts";
import type { ToolBox } from "./tools/tool-box.ts";
import { UsageError } from "./usage-error.ts";
import { VERSION } from "./version.ts";

export interface ComposeOptions {
  readonly settings: Settings;
  /** Opens what the gateway keeps its data in. */
  readonly openStore: (settings: Settings) => Promise<OpenedStore>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder of the built page. */
  readonly webRoot: string;
  /** Folder for files that may be lost, such as the demo agent's scratch folders. */
  readonly cacheDir: string;
  /** Folder of the person's own settings. */
  readonly configDir: string;
  readonly log: Logger;
  readonly say: (line: string) => void;
  /** The gateway's own terminal; absent where it has none. */
  readonly terminal?: Terminal;
  /** What the person's own tools come from; absent where nothing is loaded. */
  readonly own?: OwnFolder;
  /** Of one of several nodes, which listens already. */
  readonly nodes?: NodePlace;
}

/** A gateway that listens. Closing it keeps its pending interactions: they can be answered after the next start. */
export interface RunningGateway {
  readonly url: string;
  readonly port: number;
  /** Labels of the agents that can be started, the one offered first in front. */
  readonly agents: readonly string[];
  /** Each agent that cannot be started, with the reason. */
  readonly missing: readonly string[];
  /** Names of the tools that were loaded. */
  readonly tools: readonly string[];
  /** `onUsed` is called once a browser is signed in with it. */
  createLaunchUrl(onUsed?: () => void): string;
  close(): Promise<void>;
}

const NO_TERMINAL =
  "The gateway runs without a terminal, and anywhere else an agent could read what signs a device in. To get it, start the gateway " +
  "in a terminal. Its pending interactions are kept, and every device stays signed in.";

/** Puts store, agents, engine and server together. Rejects with `UsageError` for what the person can correct. */
export async function compose(options: ComposeOptions): Promise<RunningGateway> {
  const { settings, openStore, log, say } = options;
  const [clock, ids] = [createSystemClock(), createSystemIds()];
  await using starting = new AsyncDisposableStack();
  const opened = starting.use(await openStore(settings));
  await assertUsableCwd(settings);

  // A turn that was queued before the start begins before the server listens, and waits here for its tools.
  const listening = Promise.withResolvers<GatewayServer | undefined>();
  const openAgentTools: OpenTools = async (sessionId) =>
    (await listening.promise)?.openToolAccess(sessionId);
  const opening = Promise.withResolvers<Gateway | undefined>();
  const isolation = await openWantedIsolation(options);
  const agents = starting.use(
    await openAgents({
      ...options,
      isolation,
      openTools: openAgentTools,
      callTool: async (call, callOptions) => callIn(await opening.promise, call, callOptions),
      hostToken: (id) => opened.secret.derive(`host:${id}`).toString("base64url"),
    }),
  );
  starting.defer(() => opening.resolve(undefined));
  const box = options.own && (await openTools(options.own, say));
  const notifications = await openNotifications({ ...options, clock, ids }, opened);
  const telemetry = starting.use(openTelemetry({ url: settings.otlp, clock, ids, log }));
  const people = await openAllPeople(options, opened);
  const parts = { ...options, people, clock, ids, box, notifications, telemetry };
  /** Of a gateway that does not listen yet there is only the path. */
  let address = settings.publicUrl;
  const toCardUrl = (id: string): string => urlAt(address ?? "http://127.0.0.1", `/i/${id}`);
  const gateway = starting.use(await openEngine({ ...parts, toCardUrl }, opened, agents.adapters));
  opening.resolve(gateway);
  await agents.endLeftOver();
  await removeForeignCredentials(gateway, log);
  const served = { ...(await openServed(parts, opened)), toCardUrl };
  const server = starting.use(serve({ ...parts, served }, gateway, agents.external));
  // Where the server never listens, an agent that waits for its tools begins without them.
  starting.defer(() => listening.resolve(undefined));
  const { url, port } = await listenOnPort(settings, (at) => server.listen(at));
  address ??= url;
  listening.resolve(server);
  starting.use(notifications);
  await notifications.start(gateway, settings.publicUrl ?? url);
  const readStatus = statusReader(parts, gateway, url);
  const intake = starting.use(await openIntake({ ...parts, readStatus, url }, gateway, server));
  const { agents: infos } = await readStatus();
  const running = starting.move();
  return {
    url,
    port,
    agents: infos.filter((agent) => agent.available).map((agent) => agent.label),
    missing: infos
      .filter((agent) => !agent.available)
      .map(({ label, unavailableReason }) => `${label}: ${unavailableReason ?? "unavailable"}`),
    tools: box?.tools.map(({ name }) => name) ?? [],
    createLaunchUrl: (onUsed) => server.createLaunchUrl(onUsed),
    // No new work, then an end to what runs, while its clients are still connected, then everything is released.
    async close() {
      await intake.disposeAsync();
      await gateway[Symbol.asyncDispose]();
      await running.disposeAsync();
    },
  };
}

/** Without a gateway there is no tool to call: it was not opened. */
async function callIn(
  gateway: Gateway | undefined,
  ...[call, options]: Parameters<OpenAgentsOptions["callTool"]>
): ReturnType<OpenAgentsOptions["callTool"]> {
  if (!gateway) return { content: "The gateway has no tools.", isError: true };
  try {
    const { content, isError } = await gateway.tools.call(call, options).result;
    return { content, isError };
  } catch (error: unknown) {
    return { content: error instanceof Error ? error.message : String(error), isError: true };
  }
}

async function openWantedIsolation(options: ComposeOptions): Promise<Isolation | undefined> {
  const { isolate: wanted, dataDir, cwd } = options.settings;
  if (wanted === undefined) return undefined;
  return openIsolation({ ...options, wanted, dataDir, cwd });
}

interface Parts extends ComposeOptions {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly notifications: Notifications;
  readonly telemetry: Telemetry;
  /** Who may come in beside the owner, and answer. */
  readonly people: PeopleOptions | undefined;
  /** The person's own tools. */
  readonly box: ToolBox | undefined;
}

function openEngine(
  {
    settings,
    clock,
    ids,
    box,
    log,
    own,
    notifications,
    toCardUrl,
    say,
    telemetry,
    people,
  }: Parts & Required<Pick<GatewayOptions, "toCardUrl">>,
  { store, credentials, secret }: OpenedStore,
  agents: ReadonlyMap<string, AgentAdapter>,
): Promise<Gateway> {
  const { cwd, dataDir, overview, alwaysDays, token } = settings;
  return openGateway({
    store,
    credentials,
    credentialKey: secret.derive("credentials"),
    clock,
    ids,
    agents,
    defaultCwd: cwd,
    ...(box && { tools: box.tools.map(containFaults) }),
    ...(own && { folderTrust: own.trusted }),
    notifications,
    callbacks: notifications.callbacks,
    toCardUrl,
    refuseCwd: (directory) => refuseCwd(directory, dataDir),
    listFiles: createFileLister(() => clock.monotonic()),
    ...waitingOf(settings),
    ...(people && { people: toPeoplePort(people, clock) }),
    ...(settings.responders && { responders: settings.responders }),
    onInteraction: telemetry.onInteraction,
    hasPerson: async () =>
      token !== undefined || (await credentials.list()).some(({ kind }) => kind !== "agent"),
    ...(overview && { overview }),
    ...(alwaysDays !== undefined && { grants: { alwaysDays } }),
    onToolLog: logTools({
      log,
      folder: own?.trusted.place.folder ?? cwd,
      ...(settings.watch && { say }),
    }),
    onError: (error, where) => log.error({ err: error, where }, "failed"),
  });
}

/** How long agents wait, and what holds when nobody is there. */
function waitingOf(
  settings: Settings,
): Pick<
  GatewayOptions,
  "holdTimeoutMs" | "onDisconnect" | "availability" | "availabilityGraceMs" | "parkAfterMs"
> {
  const { holdTimeoutMs, onDisconnect, availability, availabilityGraceMs, parkAfterMs } = settings;
  return {
    ...(holdTimeoutMs !== undefined && { holdTimeoutMs }),
    ...(onDisconnect !== undefined && { onDisconnect }),
    ...(availability !== undefined && { availability }),
    ...(availabilityGraceMs !== undefined && { availabilityGraceMs }),
    ...(parkAfterMs !== undefined && { parkAfterMs }),
  };
}

/** They are those of before credentials had a seal, those of another data folder, or written by another program. */
async function removeForeignCredentials({ credentials }: Gateway, log: Logger): Promise<void> {
  const count = await credentials.removeForeign();
  if (count === 0) return;
  log.warn({ count }, "credentials without this gateway's seal were removed: they sign in again");
}

/** Rejects with `UsageError` for people, or for rules of who may answer, that cannot be. */
async function openAllPeople(
  { settings, env }: Pick<ComposeOptions, "env" | "settings">,
  { secret }: Pick<OpenedStore, "secret">,
): Promise<PeopleOptions | undefined> {
  const { people, responders } = settings;
  if (responders) assertIssuersNamed(responders, people);
  const { newSessionsFor = [] } = people ?? {};
  if (people) assertKnownIssuers("people.newSessionsFor", newSessionsFor, people);
  return (
    people &&
    openPeople(people, {
      env,
      key: secret.derive("people"),
      groups: [...groupsNamedIn(responders ?? {}), ...newSessionsFor.map(({ group }) => group)],
    })
  );
}

/** What the server has of this gateway alone. */
async function openServed(
  { settings, clock, people }: Pick<Parts, "clock" | "people" | "settings">,
  { secret, usedStates: rows }: Pick<OpenedStore, "secret" | "usedStates">,
): Promise<Partial<ServerOptions>> {
  const { tls, dataDir } = settings;
  const states = await openUsedStates(dataDir, clock);
  return {
    ...(people && { people }),
    ...(tls && { tls: await readTls(tls) }),
    identitySeed: secret.derive("identity"),
    stateKey: secret.derive("mcp states"),
    usedStates: rows ? await openSharedStates(rows, states, clock) : states,
  };
}

function serve(
  {
    settings,
    clock,
    box,
    log,
    webRoot,
    served,
    notifications,
    nodes,
  }: Parts & { readonly served: Partial<ServerOptions> },
  gateway: Gateway,
  external: ExternalAdapter,
): GatewayServer {
  const { embedOrigins, toolHoldLimitMs, publicUrl, trustProxy, token, lifetimes, metrics } =
    settings;
  return createServer({
    gateway,
    clock,
    version: VERSION,
    personName: personName(),
    ...served,
    ...(nodes && { nodes }),
    ...(lifetimes && { lifetimes }),
    ...(metrics && { metricsAccess: metrics }),
    moreMetrics: () => [toNotificationMetrics(notifications)],
    ...(toolHoldLimitMs !== undefined && { toolHoldLimitMs }),
    takeMessage: (sessionId) => external.takeMessage(sessionId),
    ...(box && { ownTools: () => box.summaries }),
    webRoot,
    embedOrigins,
    trustProxy,
    log,
    ...(publicUrl !== undefined && { publicUrl }),
    ...(token !== undefined && { personToken: token }),
  });
}

/** All ways in which new work comes. Disposing it closes them, and leaves what runs as it is. */
async function openIntake(
  {
    settings,
    clock,
    box,
    log,
    own,
    terminal,
    say,
    readStatus,
    url,
    nodes,
    telemetry,
  }: Parts & { readonly readStatus: () => Promise<GatewayStatus>; readonly url: string },
  gateway: Gateway,
  server: GatewayServer,
): Promise<AsyncDisposableStack> {
  const intake = new AsyncDisposableStack();
  intake.defer(() => server.stopListening());
  intake.use(telemetry.measure(() => server.openMetrics()));
  const control = await openControl({
    dataDir: settings.dataDir,
    issueAgentToken: (label) => server.issueAgentToken(label),
    showLink: () => withTerminal(terminal).showLink(server.createLaunchUrl()),
    showPairing: () => withTerminal(terminal).showPairing(server.createPairing()),
    readStatus,
    url,
    prune: (request) => pruneFor(gateway, settings.retention, request),
  }).catch((error: unknown) =>
    log.warn({ err: error }, "the command line cannot reach this gateway"),
  );
  if (control) intake.use(control);
  const door = await openTerminals({ settings, clock, log }, gateway).catch((error: unknown) =>
    log.warn({ err: error }, "hooks in terminals cannot reach this gateway"),
  );
  if (door) intake.use(door);
  if (settings.retention) {
    const { retention } = settings;
    const onPruned = (count: number): void => log.info({ count }, "sessions were pruned");
    const onError = (error: unknown): void => log.error({ err: error, where: "prune" }, "failed");
    intake.use(pruneDaily({ gateway, retention, clock, onPruned, onError }));
  }
  // The front of a node follows its certificate in either role.
  if (settings.tls && !nodes) {
    const onProblem = (problem: string): void => say(`holdpoint: ${problem}`);
    const onChange = (next: Tls): void => server.replaceTls(next);
    intake.use(await followTls({ files: settings.tls, clock, onChange, onProblem }));
  }
  if (terminal) intake.use(gateway.pairings.onMiss((triesLeft) => terminal.showMiss(triesLeft)));
  if (box && own) {
    const onTools = async (tools: readonly Tool[]): Promise<void> => {
      gateway.tools.replace(tools.map(containFaults));
      await server.announceTools();
    };
    const onError = (error: unknown): void => log.error({ err: error, where: "tools" }, "failed");
    intake.use(followFolder({ own, box, clock, watch: settings.watch, onTools, onError }));
  }
  return intake;
}

/** Where hooks of agents in terminals ask. */
async function openTerminals(
  { settings, clock, log }: Pick<Parts, "settings" | "clock" | "log">,
  gateway: Gateway,
): Promise<AsyncDisposable | undefined> {
  if (process.platform === "win32") return undefined;
  const onError = (error: unknown): void => log.error({ err: error, where: "terminals" }, "failed");
  const folder = settings.dataDir;
  const passes = new CallMarks({ folder, clock, kind: "passes" });
  const denials = new CallMarks({ folder, clock, kind: "denied" });
  await passes.removeOld();
  await denials.removeOld();
  return openDoor(folder, new TerminalAsks({ gateway, clock, passes, denials, isAlive, onError }));
}

function withTerminal(terminal: Terminal | undefined): Terminal {
  if (terminal === undefined) throw new UsageError(NO_TERMINAL);
  return terminal;
}

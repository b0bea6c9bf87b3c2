import type { Isolation, OpenTools } from "@holdpoint/agents";
import { createSystemClock, createSystemIds, type Gateway } from "@holdpoint/engine";
import { urlAt } from "@holdpoint/protocol";
import type { GatewayServer, PeopleOptions } from "@holdpoint/server";
import type { Logger } from "pino";

import {
  assertIssuersNamed,
  assertKnownIssuers,
  groupsNamedIn,
} from "../config/responders-config.ts";
import { secretFiles } from "../config/secret-files.ts";
import { listenOnPort } from "../network/listen.ts";
import { openTelemetry } from "../telemetry/open-telemetry.ts";
import type { ComposeOptions } from "./compose-parts.ts";
import { statusReader } from "./gateway-status.ts";
import { openAgents, type OpenAgentsOptions } from "./open-agents.ts";
import { openEngine } from "./open-engine.ts";
import { openIntake } from "./open-intake.ts";
import { openIsolation } from "./open-isolation.ts";
import { openNotifications } from "./open-notifications.ts";
import { openPeople } from "./open-people.ts";
import { openServed, serve } from "./open-server.ts";
import type { OpenedStore } from "./open-store.ts";
import { openTools } from "./open-tools.ts";
import { assertUsableCwd } from "./refuse-cwd.ts";

/**
 * A gateway that is listening. Closing it keeps its pending interactions: they can be answered after the next start.
 */
export interface RunningGateway {
  readonly url: string;
  readonly port: number;
  /** Labels of the agents that can be started; the default one comes first. */
  readonly agents: readonly string[];
  /** Each agent that cannot be started, with the reason. */
  readonly missing: readonly string[];
  /** Names of the loaded tools. */
  readonly tools: readonly string[];
  /** `onUsed` is called once a browser is signed in with the URL. */
  createLaunchUrl(onUsed?: () => void): string;
  close(): Promise<void>;
}

/** Assembles store, agents, engine and server. Rejects with `UsageError` for problems that the person can correct. */
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
  /** Without a public URL, the address is unknown until the gateway listens. */
  let address = settings.publicUrl;
  const toCardUrl = (id: string): string => urlAt(address ?? "http://127.0.0.1", `/i/${id}`);
  const gateway = starting.use(await openEngine({ ...parts, toCardUrl }, opened, agents.adapters));
  opening.resolve(gateway);
  await agents.endLeftOver();
  await removeForeignCredentials(gateway, log);
  const served = { ...(await openServed(parts, opened)), toCardUrl };
  const server = starting.use(serve({ ...parts, served }, gateway, agents.external));
  // If the server never listens, an agent that waits for its tools starts without them.
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
    // First refuses new work, then ends running work while clients are still connected, then releases everything.
    async close() {
      await intake.disposeAsync();
      await gateway[Symbol.asyncDispose]();
      await running.disposeAsync();
    },
  };
}

/** Calls a gateway tool. If the gateway could not be opened, there is no tool to call. */
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
  const { settings, env } = options;
  const { isolate: wanted, dataDir, cwd } = settings;
  if (wanted === undefined) return undefined;
  return openIsolation({
    ...options,
    wanted,
    dataDir,
    cwd,
    secretFiles: secretFiles(settings, env),
  });
}

/**
 * Removes credentials without a valid seal: from another data folder, or written by another program.
 */
async function removeForeignCredentials({ credentials }: Gateway, log: Logger): Promise<void> {
  const count = await credentials.removeForeign();
  if (count === 0) return;
  log.warn(
    { count },
    "credentials without this gateway's seal were removed: their devices sign in again",
  );
}

/** Rejects with `UsageError` for invalid people or responder settings. */
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

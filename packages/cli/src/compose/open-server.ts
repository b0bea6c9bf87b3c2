import type { ExternalAdapter } from "@holdpoint/agents";
import type { Gateway } from "@holdpoint/engine";
import { createServer, type GatewayServer, type ServerOptions } from "@holdpoint/server";

import { readTls } from "../network/read-tls.ts";
import { personName } from "../person-name.ts";
import { VERSION } from "../version.ts";
import type { Parts } from "./compose-parts.ts";
import { toNotificationMetrics } from "./notification-metrics.ts";
import type { OpenedStore } from "./open-store.ts";
import { openSharedStates, openUsedStates } from "./open-used-states.ts";

/** Server options that are specific to this gateway. */
export async function openServed(
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

export function serve(
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
  const { embedOrigins, toolHoldLimitMs, publicUrl, trustProxy, token, metrics } = settings;
  const { idleDays, absoluteDays } = settings;
  return createServer({
    gateway,
    clock,
    version: VERSION,
    personName: personName(),
    ...served,
    ...(nodes && { nodes }),
    lifetimes: { idleDays, absoluteDays },
    metricsAccess: metrics,
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

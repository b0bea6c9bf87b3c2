import {
  type AgentAdapter,
  type Gateway,
  type GatewayOptions,
  openGateway,
} from "@holdpoint/engine";
import { toPeoplePort } from "@holdpoint/server";

import { createFileLister } from "../files/list-files.ts";
import { containFaults } from "../tools/contain-faults.ts";
import { logTools } from "../tools/log-tools.ts";
import type { Parts } from "./compose-parts.ts";
import type { OpenedStore } from "./open-store.ts";
import { openUsedStates, SPENT_GRANTS_FILE } from "./open-used-states.ts";
import { refuseCwd } from "./refuse-cwd.ts";

export async function openEngine(
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
  const { cwd, dataDir, expiredDays, orphanedDays, alwaysDays, token } = settings;
  const { holdTimeoutMs, onDisconnect, availability, availabilityGraceMs, parkAfterMs } = settings;
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
    holdTimeoutMs,
    onDisconnect,
    availability,
    availabilityGraceMs,
    parkAfterMs,
    ...(people && { people: toPeoplePort(people, clock) }),
    ...(settings.responders && { responders: settings.responders }),
    onInteraction: telemetry.onInteraction,
    hasPerson: async () =>
      token !== undefined || (await credentials.list()).some(({ kind }) => kind !== "agent"),
    overview: { expiredDays, orphanedDays },
    grants: {
      key: secret.derive("grants"),
      spent: await openUsedStates(dataDir, clock, SPENT_GRANTS_FILE),
      alwaysDays,
    },
    onToolLog: logTools({
      log,
      folder: own?.trusted.place.folder ?? cwd,
      ...(settings.watch && { say }),
    }),
    onError: (error, where) => log.error({ err: error, where }, "failed"),
  });
}

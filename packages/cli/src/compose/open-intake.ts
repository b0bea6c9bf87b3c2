import { CallMarks, TerminalAsks } from "@holdpoint/agents";
import type { Gateway, Tool } from "@holdpoint/engine";
import type { GatewayServer } from "@holdpoint/server";

import type { GatewayStatus } from "../control/control-message.ts";
import { openControl } from "../control/open-control.ts";
import { followTls, type Tls } from "../network/follow-tls.ts";
import type { Terminal } from "../terminal.ts";
import { isAlive, openHookServer } from "../terminals/open-hook-server.ts";
import { containFaults } from "../tools/contain-faults.ts";
import { UsageError } from "../usage-error.ts";
import type { Parts } from "./compose-parts.ts";
import { followFolder } from "./open-tools.ts";
import { pruneDaily, pruneFor } from "./retention.ts";

const NO_TERMINAL =
  "The gateway runs without a terminal, and anywhere else an agent could read the link or code that signs a device in. To get one, start the gateway " +
  "in a terminal. Its pending interactions are kept, and every device stays signed in.";

/** Opens everything that brings new work. Disposing it closes these, and leaves running work alone. */
export async function openIntake(
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
  // A node's front follows the certificate itself, in either role.
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

/** Opens the endpoint for hooks of agents in terminals. */
async function openTerminals(
  { settings, clock, log }: Pick<Parts, "settings" | "clock" | "log">,
  gateway: Gateway,
): Promise<AsyncDisposable | undefined> {
  if (process.platform === "win32") return undefined;
  const onError = (error: unknown): void => log.error({ err: error, where: "terminals" }, "failed");
  const folder = settings.dataDir;
  const passes = new CallMarks({ folder, clock, kind: "passes" });
  const denials = new CallMarks({ folder, clock, kind: "denied" });
  const allowed = new CallMarks({ folder, clock, kind: "allowed" });
  await passes.removeOld();
  await denials.removeOld();
  await allowed.removeOld();
  return openHookServer(
    folder,
    new TerminalAsks({ gateway, clock, passes, denials, allowed, isAlive, onError }),
  );
}

function withTerminal(terminal: Terminal | undefined): Terminal {
  if (terminal === undefined) throw new UsageError(NO_TERMINAL);
  return terminal;
}

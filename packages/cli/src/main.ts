import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";

import { ownPrograms } from "@holdpoint/agents";
import { createSystemClock, GatewayError, type StoreError } from "@holdpoint/engine";
import { toMarkedString } from "@holdpoint/protocol";
import envPaths from "env-paths";
import open from "open";

import { parseCommandLine } from "./command-line.ts";
import { adopt } from "./commands/adopt.ts";
import { agentToken } from "./commands/agent-token.ts";
import { audit } from "./commands/audit.ts";
import { backup, restore } from "./commands/backup.ts";
import { check } from "./commands/check.ts";
import { link } from "./commands/link.ts";
import { move } from "./commands/move.ts";
import { pair } from "./commands/pair.ts";
import { prune } from "./commands/prune.ts";
import type { ComposeOptions } from "./compose/compose-parts.ts";
import { compose, type RunningGateway } from "./compose/compose.ts";
import { openOwnFolder, type OwnSources } from "./compose/open-own-folder.ts";
import { type OpenedStore, openStore, type StoreEvents } from "./compose/open-store.ts";
import { releaseMemory } from "./compose/release-memory.ts";
import { type ConfigFile, parseConfig } from "./config/config-file.ts";
import { neighbourWarning } from "./config/network-settings.ts";
import { redirectUris } from "./config/redirect-uris.ts";
import { resolveSettings, type Settings, unknownVariables } from "./config/settings.ts";
import { diagnose } from "./doctor/diagnose.ts";
import { toJson, toText } from "./doctor/print-diagnosis.ts";
import { tryToolsProgram } from "./doctor/try-tools.ts";
import type { FlagValues } from "./flags.ts";
import { helpOf } from "./help.ts";
import { LaunchFile } from "./launch-file.ts";
import { createLog } from "./log.ts";
import type { NodeOptions, RunningNode } from "./nodes/node.ts";
import { type Membership, openMembership } from "./nodes/open-membership.ts";
import { openNode } from "./nodes/open-node.ts";
import { takeToken } from "./take-token.ts";
import { createTerminal } from "./terminal.ts";
import { readUserConfig, USER_CONFIG } from "./trust/user-config.ts";
import { UsageError } from "./usage-error.ts";
import type { Command } from "./usage.ts";
import { VERSION } from "./version.ts";
import { watchFaults } from "./watch-faults.ts";

const USAGE_EXIT_CODE = 2;
/** From SIGTERM to the exit at most 5 s pass. The kernel closes whatever is still open then. */
const SHUTDOWN_LIMIT_MS = 4500;

/** Runs the command line. Returns when the command has ended, or when the gateway is serving. */
export async function main(args: readonly string[]): Promise<void> {
  // The reader of the output may have ended. The gateway and its pending interactions must survive that.
  for (const output of [process.stdout, process.stderr]) output.on("error", () => undefined);
  try {
    const { command, flags, words } = parseCommandLine(args, process.env["npm_lifecycle_event"]);
    if (flags["help"]) process.stdout.write(helpOf(command));
    else if (flags["version"]) process.stdout.write(`${VERSION}\n`);
    else await run(command, flags, words);
  } catch (error) {
    const isMendable = error instanceof UsageError || GatewayError.isInstance(error);
    say(`holdpoint: ${isMendable ? error.message : inspect(error)}`);
    process.exit(isMendable ? USAGE_EXIT_CODE : 1);
  }
}

const paths = envPaths("holdpoint", { suffix: "" });

async function run(command: Command, flags: FlagValues, words: readonly string[]): Promise<void> {
  const { store } = flags;
  const env =
    command === "start" ? takeToken(process.env, store as string | undefined) : process.env;
  for (const name of unknownVariables(env)) {
    say(`holdpoint: there is no variable ${name}; it is ignored. See holdpoint --help.`);
  }
  const place = { flags, env, startDirectory: process.cwd(), defaultDataDir: paths.data };
  if (command === "doctor") return examine(place);
  const sources: OwnSources = { ...place, file: await readUserFile(USER_CONFIG) };
  if (command === "start") return start(sources);
  const settings = resolveSettings(sources);
  switch (command) {
    case "check": {
      const { output, isWhole } = await check(settings);
      process.stdout.write(output);
      if (!isWhole) process.exitCode = 1;
      break;
    }
    case "adopt": {
      const adopting = { ...settings, words, env, directory: process.cwd() };
      const { output, isWhole } = await adopt({ ...adopting, clock: createSystemClock() });
      process.stdout.write(toMarkedLines(output));
      if (!isWhole) process.exitCode = 1;
      break;
    }
    case "move":
      process.stdout.write(await move(settings));
      break;
    case "backup":
      process.stdout.write(await backup({ ...settings, words }));
      break;
    case "restore":
      process.stdout.write(await restore({ ...settings, words }));
      break;
    case "prune":
      process.stdout.write(await prune(settings));
      break;
    case "audit":
      return runAudit(settings, words);
    case "link":
      process.stdout.write(await link(settings));
      break;
    case "pair":
      process.stdout.write(await pair(settings));
      break;
    case "agent-token":
      process.stdout.write(await agentToken(settings));
  }
}

async function runAudit(settings: Settings, words: readonly string[]): Promise<void> {
  const now = new Date(createSystemClock().now()).toISOString();
  const { said, isRight } = await audit({ ...settings, words, now }, process.stdout);
  // Standard output may be the export itself.
  if (words[0] === "export") say(said.trimEnd());
  else process.stdout.write(toMarkedLines(said));
  if (!isRight) process.exitCode = 1;
}

/** Runs `doctor`. Unlike other commands, it continues with an unreadable user config, and reports it. */
async function examine(place: Omit<OwnSources, "file">): Promise<void> {
  const read = await readUserFile(USER_CONFIG).then(
    (file) => ({ file, configProblem: undefined }),
    (error: unknown) => {
      if (error instanceof UsageError) return { file: {}, configProblem: error.message };
      throw error;
    },
  );
  const { env, startDirectory } = place;
  const settings = resolveSettings({ ...place, file: read.file });
  const { config: named } = settings;
  const { configProblem } = read;
  const packageFiles = [...ownPrograms(), tryToolsProgram(), join(findWebRoot(), "index.html")];
  const where = { startDirectory, configDir: paths.config, configProblem, packageFiles, named };
  const nowMs = createSystemClock().now();
  const diagnosis = await diagnose({ settings, env, nowMs, ...where });
  process.stdout.write(settings.json ? toJson(diagnosis) : toText(diagnosis));
  if (!diagnosis.healthy) process.exitCode = 1;
}

async function start(sources: OwnSources): Promise<void> {
  await using starting = new AsyncDisposableStack();
  let end = endAtOnce;
  const onLost = (error: StoreError): void => {
    say(`holdpoint: ${error.message}`);
    end();
  };
  const options = { sources, say, onLost, open: openKept };
  const { settings, own, opened } = await openOwnFolder(options, starting);
  const log = createLog({ level: settings.logLevel, format: settings.logFormat });
  const faults = watchFaults(log);
  const shared = {
    settings,
    env: process.env,
    webRoot: findWebRoot(),
    cacheDir: paths.cache,
    configDir: paths.config,
    log,
    say,
    own,
    // Only a terminal: an agent can read a file or a journal, and a launch link signs in its reader as a person.
    ...(process.stdout.isTTY &&
      !settings.json && { terminal: createTerminal((text) => process.stdout.write(text)) }),
  };
  const running =
    "kind" in opened
      ? await startNode({ ...shared, member: opened, onFatal: (error) => endBy(error, end) })
      : await startAlone({ ...shared, openStore: async () => opened });
  // From here on the running gateway closes the store.
  starting.move();
  releaseMemory(createSystemClock());
  const close = closeOnSignal(running);
  end = () => close({ exitCode: 1 });
  faults.onFatal(end);
  const warning = neighbourWarning(settings.publicUrl);
  if (warning !== undefined) say(`holdpoint: ${warning}`);
  await running.announce();
}

/** A gateway or a node, whose start is announced. */
interface Running {
  announce(): Promise<void>;
  close(): Promise<void>;
}

/** A gateway's store, or a node's membership. */
function openKept(settings: Settings, events: StoreEvents): Promise<Membership | OpenedStore> {
  const { cluster } = settings;
  return cluster
    ? openMembership({ ...settings, cluster }, createSystemClock())
    : openStore(settings, events);
}

async function startAlone(options: ComposeOptions): Promise<Running> {
  const gateway = await compose(options);
  return { announce: () => showLaunch(options, gateway), close: () => gateway.close() };
}

/** Shows how to sign in here, and opens the browser. */
async function showLaunch(
  { settings, log, own }: Pick<ComposeOptions, "log" | "own" | "settings">,
  gateway: RunningGateway,
): Promise<void> {
  const launchFile = new LaunchFile({ folder: settings.dataDir, clock: createSystemClock() });
  const launchUrl = gateway.createLaunchUrl(() => launchFile.remove());
  announce(settings, gateway, launchUrl);
  log.info({ url: gateway.url }, "listening");
  // Not awaited: the gateway serves while the terminal asks whether to trust the folder's files.
  void own?.notice.tell().catch((error: unknown) => log.error({ err: error }, "trust failed"));
  if (settings.open) await launchFile.write(launchUrl).then(open).catch(sayNoBrowser);
}

/** Not an error, since the address is on the screen. */
function sayNoBrowser(): void {
  say("No browser could be opened.");
}

/** Starts a node. Announces its role once at the start and, in a terminal, again when it begins to work. */
async function startNode(options: Omit<NodeOptions, "onWorking">): Promise<Running> {
  const { settings, member } = options;
  let isAnnounced = false;
  const node = await openNode({
    ...options,
    onWorking(gateway) {
      // Programs get one line, and a browser is opened once.
      if (isAnnounced && settings.json) return;
      const open = settings.open && !isAnnounced;
      isAnnounced = true;
      void showLaunch({ ...options, settings: { ...settings, open } }, gateway);
    },
  });
  return {
    async announce() {
      if ((await node.settled) === "working") return;
      isAnnounced = true;
      announceStandby(settings, node);
    },
    async close() {
      await node.close();
      await member[Symbol.asyncDispose]();
    },
  };
}

function endBy(error: unknown, end: () => void): void {
  say(`holdpoint: ${GatewayError.isInstance(error) ? error.message : inspect(error)}`);
  end();
}

async function readUserFile(path: string): Promise<ConfigFile> {
  const content = await readUserConfig(path);
  return content === undefined ? {} : parseConfig(path, content, { kind: "person" });
}

function announce(
  settings: Settings,
  { url, port, agents, missing, tools }: RunningGateway,
  launchUrl: string,
): void {
  if (settings.json) {
    const { dataDir } = settings;
    process.stdout.write(
      `${JSON.stringify({ url, port, launchUrl, dataDir, pid: process.pid })}\n`,
    );
    return;
  }
  process.stdout.write(
    [
      "",
      `  Holdpoint ${VERSION}`,
      "",
      `  Open      ${launchUrl}`,
      `  Agents    ${agents.join(", ")}`,
      ...missing.map((agent) => `  Without   ${agent}`),
      ...(tools.length > 0 ? [`  Tools     ${tools.join(", ")}`] : []),
      `  Works in  ${settings.cwd}`,
      `  Keeps     ${settings.dataDir}${placeOf(settings)}`,
      ...redirectUris(settings, url).map(
        ({ issuer, redirectUri }) =>
          `  Sign-in   ${issuer} must know the redirect URI ${redirectUri}`,
      ),
      "",
      process.stdout.isTTY
        ? "  The link works once, within ten minutes. The command `link` shows another here, `pair` a code for a phone."
        : "  The link works once, within ten minutes.",
      "  Ctrl+C stops the gateway; pending interactions are kept.",
      "",
      "",
    ]
      .map(toMarkedLine)
      .join("\n"),
  );
}

function announceStandby({ json, dataDir }: Settings, { url, port }: RunningNode): void {
  const line = json
    ? JSON.stringify({ url, port, role: "standby", dataDir, pid: process.pid })
    : `\n  Holdpoint ${VERSION}\n\n  Standing by at ${url}: another node is working. Sign in there, or here with the link or code that it shows.\n`;
  process.stdout.write(`${json ? line : toMarkedLines(line)}\n`);
}

function endAtOnce(): void {
  process.exit(1);
}

/** Where sessions and answers are, if not in the data folder. Never the password. */
function placeOf({ store }: Settings): string {
  const url = store === undefined ? null : URL.parse(store);
  return url ? `, and sessions in Postgres at ${url.host}${url.pathname}` : "";
}

type Close = (options?: { readonly exitCode?: number }) => void;

/** Returns a function that closes the gateway and then ends the process. */
function closeOnSignal(gateway: { close(): Promise<void> }): Close {
  let closing = false;
  const close: Close = ({ exitCode = 0 } = {}) => {
    // A second signal ends the process at once.
    if (closing) process.exit(1);
    closing = true;
    const clock = createSystemClock();
    clock.after(SHUTDOWN_LIMIT_MS, () => process.exit(exitCode));
    gateway.close().then(
      () => process.exit(exitCode),
      (error: unknown) => {
        say(`holdpoint: stopping failed: ${String(error)}`);
        process.exit(1);
      },
    );
  };
  // Closing a terminal sends SIGHUP.
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => close());
  return close;
}

/** Next to the bundle when published; in its own package in the repository. */
function findWebRoot(): string {
  const published = fileURLToPath(new URL("web", import.meta.url));
  return existsSync(published)
    ? published
    : fileURLToPath(new URL("../../web/dist", import.meta.url));
}

/** A line without invisible characters, or characters that a terminal interprets. */
function toMarkedLine(line: string): string {
  return toMarkedString(line, "exact");
}

function toMarkedLines(text: string): string {
  return text.split("\n").map(toMarkedLine).join("\n");
}

function say(line: string): void {
  process.stderr.write(`${toMarkedLine(line)}\n`);
}

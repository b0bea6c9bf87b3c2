import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";

import { createSystemClock, GatewayError } from "@holdpoint/engine";
import { describeError } from "@holdpoint/server";
import envPaths from "env-paths";
import open from "open";
import pino from "pino";

import { type Command, type Flags, parseCommandLine } from "./command-line.ts";
import { agentToken } from "./commands/agent-token.ts";
import { link } from "./commands/link.ts";
import { compose, type RunningGateway } from "./compose.ts";
import { loadConfigFile } from "./config-file.ts";
import { HELP } from "./help.ts";
import { writeLaunchFile } from "./launch-file.ts";
import { openStore } from "./open-store.ts";
import { resolveSettings, type Settings } from "./settings.ts";
import { takeToken } from "./take-token.ts";
import { UsageError } from "./usage-error.ts";
import { type Environment, readVariables, unknownVariables } from "./variables.ts";
import { VERSION } from "./version.ts";

const USAGE_EXIT_CODE = 2;
/** From SIGTERM to the exit at most 5 s pass. The kernel closes what is still open then. */
const SHUTDOWN_LIMIT_MS = 4500;

/** Runs the command line. Returns when the command has ended, or when the gateway serves. */
export async function main(args: readonly string[]): Promise<void> {
  // The reader of the output may have ended. The gateway and its pending interactions must survive that.
  for (const output of [process.stdout, process.stderr]) output.on("error", () => undefined);
  try {
    const { command, flags } = parseCommandLine(args);
    if (flags.help) process.stdout.write(HELP);
    else if (flags.version) process.stdout.write(`${VERSION}\n`);
    else await run(command, flags);
  } catch (error) {
    const isMendable = error instanceof UsageError || GatewayError.isInstance(error);
    say(`holdpoint: ${isMendable ? error.message : inspect(error)}`);
    process.exit(isMendable ? USAGE_EXIT_CODE : 1);
  }
}

const paths = envPaths("holdpoint", { suffix: "" });

async function run(command: Command, flags: Flags): Promise<void> {
  const { env } = process;
  const settings = await readSettings(flags, command === "start" ? takeToken(env) : env);
  switch (command) {
    case "start":
      return start(settings);
    case "link":
      process.stdout.write(await link(settings));
      break;
    case "agent-token":
      process.stdout.write(await agentToken({ ...settings, label: flags.label }));
  }
}

async function readSettings(flags: Flags, env: Environment): Promise<Settings> {
  const startDirectory = process.cwd();
  for (const name of unknownVariables(env)) {
    say(`holdpoint: there is no variable ${name}; it is ignored. See holdpoint --help.`);
  }
  const named = flags.config ?? readVariables(env).CONFIG;
  const { file, path: configPath } = await loadConfigFile(startDirectory, named);
  const defaultDataDir = paths.data;
  return resolveSettings({ flags, env, file, configPath, startDirectory, defaultDataDir });
}

async function start(settings: Settings): Promise<void> {
  const log = pino({ level: settings.logLevel }, pino.destination(2));
  // A tool that does not await its own promise must not end the gateway. The error's message may hold an answer.
  process.on("unhandledRejection", (reason) =>
    log.error(describeError(reason), "a promise was rejected and nothing handled it"),
  );
  const gateway = await compose({
    settings,
    openStore,
    env: process.env,
    webRoot: findWebRoot(),
    cacheDir: paths.cache,
    configDir: paths.config,
    log,
    say,
    // An agent can read a file or a journal, and a launch link signs in its reader as a person.
    ...(process.stdout.isTTY && !settings.json && { showLink }),
  });
  closeOnSignal(gateway);
  const launchUrl = gateway.createLaunchUrl();
  announce(settings, gateway, launchUrl);
  log.info({ url: gateway.url }, "listening");
  // A machine without a browser is fine: the address is on the screen.
  if (settings.open) await openBrowser(launchUrl, settings).catch(sayNoBrowser);
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
      `  Keeps     ${settings.dataDir}`,
      "",
      process.stdout.isTTY
        ? "  The link works once, within ten minutes; the command `link` shows another here."
        : "  The link works once, within ten minutes.",
      "  Ctrl+C stops the gateway; pending interactions are kept.",
      "",
      "",
    ].join("\n"),
  );
}

async function openBrowser(launchUrl: string, { dataDir: folder }: Settings): Promise<void> {
  await open(await writeLaunchFile(launchUrl, { folder, clock: createSystemClock() }));
}

function sayNoBrowser(): void {
  say("No browser could be opened.");
}

function showLink(launchUrl: string): void {
  process.stdout.write(`  Open      ${launchUrl}\n`);
}

function closeOnSignal(gateway: RunningGateway): void {
  let closing = false;
  const close = (): void => {
    // A second signal ends the process at once.
    if (closing) process.exit(1);
    closing = true;
    const clock = createSystemClock();
    clock.schedule(clock.now() + SHUTDOWN_LIMIT_MS, () => process.exit(0));
    gateway.close().then(
      () => process.exit(0),
      (error: unknown) => {
        say(`holdpoint: stopping failed: ${String(error)}`);
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", close);
  process.on("SIGINT", close);
}

/** Beside the bundle when published; in its own package in the repository. */
function findWebRoot(): string {
  const published = fileURLToPath(new URL("web", import.meta.url));
  return existsSync(published)
    ? published
    : fileURLToPath(new URL("../../web/dist", import.meta.url));
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

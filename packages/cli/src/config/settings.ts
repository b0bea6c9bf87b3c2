import { resolve } from "node:path";

import { isEmbedOrigin, type MetricsAccess } from "@holdpoint/server";
import pino from "pino";

import type { Flags } from "../command-line.ts";
import { LOG_FORMATS, type LogFormat } from "../log.ts";
import { UsageError } from "../usage-error.ts";
import { readVariables, type Variables } from "../variables.ts";
import { type ClusterSettings, resolveCluster } from "./cluster-settings.ts";
import type { ConfigFile } from "./config-file.ts";
import { type NetworkSettings, resolveNetwork, toList } from "./network-settings.ts";
import type { PeopleConfig } from "./people-config.ts";
import type { RespondersConfig } from "./responders-config.ts";

export const DEFAULT_PORT = 4870;

/** The gateway's resolved settings, from all sources. */
export interface Settings extends NetworkSettings {
  readonly port: number;
  readonly open: boolean;
  readonly dataDir: string;
  /** The address of a Postgres database, with its password. Absent: SQLite in the data folder. */
  readonly store?: string;
  /** Set if this gateway is one of several nodes. */
  readonly cluster?: ClusterSettings;
  /** Continue with the remaining history if a part of it is lost. */
  readonly acceptLoss: boolean;
  readonly cwd: string;
  readonly agent?: string;
  readonly json: boolean;
  /** The minimum level of log entries on stderr. */
  readonly logLevel: string;
  readonly logFormat: LogFormat;
  /** The collector for spans and metrics. */
  readonly otlp?: string;
  /** The config file that the person has named. */
  readonly configPath?: string;
  /** Check config file and tools again when they change. */
  readonly watch: boolean;
  /** Access to `/metrics`. */
  readonly metrics?: MetricsAccess;
  /** Origins of other pages that may use the API. */
  readonly embedOrigins: readonly string[];
  readonly holdTimeoutMs?: number;
  readonly toolHoldLimitMs?: number;
  /** Whether interactions stay pending or are denied when no client is left that can answer. */
  readonly onDisconnect?: "wait" | "deny";
  /** Whether a tool's request waits or is refused while no client can answer. */
  readonly availability?: "wait" | "refuse";
  readonly availabilityGraceMs?: number;
  readonly parkAfterMs?: number;
  /** How long unanswered interactions stay in the overview. */
  readonly overview?: ConfigFile["overview"];
  /** Days until an approval "from now on" ends. */
  readonly alwaysDays?: number;
  /** Which sessions are deleted automatically. */
  readonly retention?: ConfigFile["retention"];
  /** How long devices stay signed in. */
  readonly lifetimes?: ConfigFile["credentials"];
  /** Other people who may sign in besides the owner. */
  readonly people?: PeopleConfig;
  /** Policies for responders. */
  readonly responders?: RespondersConfig;
  /** A bearer token with a person's rights, for programs and tests. */
  readonly token?: string;
  /** Names of further variables that agents get. */
  readonly agentEnvironment?: readonly string[];
  /** Separates agents from the gateway's files: `namespace`, or `user:NAME`. */
  readonly isolate?: string;
  /** How many agent processes are kept between turns. */
  readonly maxIdleAgents?: number;
  /** Settings for push notifications and webhooks. */
  readonly notify?: ConfigFile["notify"];
  /** Hosts that may be called back when an ask of a program is over. */
  readonly callbackHosts?: NonNullable<ConfigFile["asks"]>["callbacks"];
  readonly claudeSettingSources?: readonly ("user" | "project" | "local")[];
}

export interface SettingsSources {
  readonly flags: Flags;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The merged content of the config files. */
  readonly file: ConfigFile;
  /** The path of the config file that the person has named. */
  readonly configPath?: string | undefined;
  readonly defaultDataDir: string;
  /** The directory in which the command was started. */
  readonly startDirectory: string;
}

/**
 * Flags override `HOLDPOINT_*` variables, which override the config file, which overrides the defaults. Throws
 * `UsageError`.
 */
export function resolveSettings(sources: SettingsSources): Settings {
  const variables = readVariables(sources.env);
  return {
    ...resolveAddress(sources, variables),
    ...resolveFolders(sources, variables),
    ...resolveOutput(sources, variables),
    ...resolveAgents(sources, variables),
  };
}

type Address = NetworkSettings & Pick<Settings, "port" | "embedOrigins" | "metrics" | "token">;

function resolveAddress(sources: SettingsSources, variables: Variables): Address {
  const { flags, file } = sources;
  const portText = flags.port ?? variables.PORT;
  const embedOrigins = flags["embed-origin"] ?? toList(variables.EMBED_ORIGINS);
  return {
    ...resolveNetwork(sources, variables),
    port: (portText === undefined ? file.port : parsePort(portText)) ?? DEFAULT_PORT,
    embedOrigins: parseEmbedOrigins(embedOrigins ?? file.embedOrigins),
    ...present({ token: parseToken(variables.TOKEN), metrics: file.metrics }),
  };
}

type Folders = Pick<
  Settings,
  "acceptLoss" | "cluster" | "configPath" | "cwd" | "dataDir" | "store"
>;

function resolveFolders(sources: SettingsSources, variables: Variables): Folders {
  const { flags, file, startDirectory, defaultDataDir, configPath } = sources;
  const dataDir = flags["data-dir"] ?? variables.DATA_DIR ?? file.dataDir ?? defaultDataDir;
  const cwd = flags.cwd ?? variables.CWD ?? file.cwd ?? ".";
  const store = parseStore(flags.store ?? variables.STORE ?? file.store);
  return {
    dataDir: resolve(startDirectory, dataDir),
    acceptLoss: flags["accept-loss"] ?? false,
    cwd: resolve(startDirectory, cwd),
    ...present({
      configPath,
      store,
      cluster: resolveCluster({ flags, file, startDirectory, store }, variables),
    }),
  };
}

type Output = Pick<Settings, "open" | "json" | "logLevel" | "logFormat" | "otlp">;

function resolveOutput({ flags, file }: SettingsSources, variables: Variables): Output {
  const json = flags.json ?? isOn(variables.JSON) ?? false;
  const wantsBrowser = isOn(variables.OPEN) ?? file.open ?? true;
  return {
    open: wantsBrowser && !json && flags["no-open"] !== true,
    json,
    ...resolveLog({ flags, file }, variables),
  };
}

function resolveLog(
  { flags, file }: Pick<SettingsSources, "flags" | "file">,
  variables: Variables,
): Pick<Settings, "logLevel" | "logFormat" | "otlp"> {
  return {
    logLevel: parseLogLevel(flags["log-level"] ?? variables.LOG ?? file.log?.level),
    logFormat: parseLogFormat(flags["log-format"] ?? variables.LOG_FORMAT ?? file.log?.format),
    ...present({ otlp: parseOtlp(flags.otlp ?? variables.OTLP ?? file.otlp) }),
  };
}

function resolveAgents(
  { flags, file }: SettingsSources,
  variables: Variables,
): Omit<Settings, keyof Address | keyof Folders | keyof Output> {
  return {
    watch: flags.watch ?? false,
    ...present({
      agent: flags.agent ?? variables.AGENT ?? file.agent,
      holdTimeoutMs: parseHoldTimeout(variables.HOLD_TIMEOUT_MS) ?? file.holdTimeoutMs,
      toolHoldLimitMs: file.toolHoldLimitMs,
      onDisconnect: file.onDisconnect,
      availability: file.availability,
      availabilityGraceMs: file.availabilityGraceMs,
      parkAfterMs: file.parkAfterMs,
      overview: file.overview,
      alwaysDays: file.grants?.alwaysDays,
      lifetimes: file.credentials,
      retention: file.retention,
      people: file.people,
      responders: file.responders,
      ...ofAgentProcesses({ flags, file }, variables),
      notify: file.notify,
      callbackHosts: file.asks?.callbacks,
      claudeSettingSources: file.claude?.settingSources,
    }),
  };
}

function ofAgentProcesses(
  { flags, file: { agents } }: Pick<SettingsSources, "flags" | "file">,
  variables: Variables,
) {
  const maxIdle = parseMaxIdle(flags["max-idle-agents"] ?? variables.MAX_IDLE_AGENTS);
  return {
    isolate: flags.isolate ?? variables.ISOLATE ?? agents?.isolate,
    agentEnvironment: agents?.environment,
    maxIdleAgents: maxIdle ?? agents?.maxIdle,
  };
}

/** A copy without the properties that are `undefined`. */
function present<TValues extends object>(
  values: TValues,
): { [Key in keyof TValues]?: Exclude<TValues[Key], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as {
    [Key in keyof TValues]?: Exclude<TValues[Key], undefined>;
  };
}

function parseMaxIdle(text: string | undefined): number | undefined {
  if (text === undefined || /^\d{1,4}$/.test(text)) return text === undefined ? text : Number(text);
  throw new UsageError(
    `"${text}" is no number of idle agents. Use a whole number from 0 (none is kept) to 9999.`,
  );
}

/** Parses the store's address. Errors never repeat the text, which may contain a password. */
function parseStore(text: string | undefined): string | undefined {
  if (text === undefined || text === "sqlite") return undefined;
  if (/^postgres(?:ql)?:\/\//u.test(text)) return text;
  throw new UsageError(
    "The store is neither sqlite nor the address of a Postgres database, such as postgres://user@host/database.",
  );
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new UsageError(`"${text}" is not a port. Use a number from 0 (any free port) to 65535.`);
}

function parseHoldTimeout(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const holdTimeoutMs = /^\d{1,12}$/.test(text) ? Number(text) : 0;
  if (holdTimeoutMs >= 1000) return holdTimeoutMs;
  throw new UsageError("HOLDPOINT_HOLD_TIMEOUT_MS is not a number of milliseconds from 1000 on.");
}

function parseToken(token: string | undefined): string | undefined {
  if (token === undefined || token.length >= 32) return token;
  throw new UsageError("HOLDPOINT_TOKEN is too short: use at least 32 random characters.");
}

function parseLogLevel(level = "warn"): string {
  const levels = [...Object.keys(pino.levels.values), "silent"];
  if (levels.includes(level)) return level;
  throw new UsageError(`The log level is "${level}". Use one of: ${levels.join(", ")}.`);
}

function parseLogFormat(format = "json"): LogFormat {
  const known = LOG_FORMATS.find((each) => each === format);
  if (known !== undefined) return known;
  throw new UsageError(`The log format is "${format}". Use one of: ${LOG_FORMATS.join(", ")}.`);
}

function parseOtlp(url: string | undefined): string | undefined {
  if (url === undefined || /^https?:$/.test(URL.parse(url)?.protocol ?? "")) return url;
  throw new UsageError("--otlp is not the URL of a collector, such as http://127.0.0.1:4318.");
}

function isOn(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  return !["0", "false", "no", "off"].includes(text.toLowerCase());
}

/** Accepts exact origins only, because an origin's pages can act as the person. */
function parseEmbedOrigins(origins: readonly string[] = []): readonly string[] {
  const unusable = origins.find((origin) => !isEmbedOrigin(origin));
  if (unusable === undefined) return origins;
  throw new UsageError(
    `"${unusable}" is not an origin that pages can embed from. Use one such as https://desk.example.org or http://localhost:5173, without a path.`,
  );
}

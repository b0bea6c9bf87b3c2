import { isEmbedOrigin, METRICS_ACCESSES } from "@holdpoint/server";
import { z } from "zod";

import { LOG_FORMATS } from "../log.ts";
import { toolsSchema } from "../tools/tool-files.ts";
import { type Command, COMMANDS } from "../usage.ts";
import { callbacksConfigSchema, notifyConfigSchema } from "./notify-config.ts";
import { peopleConfigSchema } from "./people-config.ts";
import { respondersConfigSchema } from "./responders-config.ts";
import { retentionConfigSchema } from "./retention-config.ts";
import { partsOfSetting, type Setting, type SettingParts } from "./setting.ts";

const ALL = Object.keys(COMMANDS) as Command[];
const LOADING = ["start", "doctor"] as const;
const STORING = ["start", "doctor", "check", "backup", "restore", "move", "audit"] as const;

const milliseconds = z.int().min(0);
const days = z.number().positive().max(3650);
const amount = z.number().positive().max(999_999);
const webAddress = z.url({
  protocol: /^https?$/,
  error: "Use an address such as https://agents.example.org.",
});
const embedOrigin = z
  .string()
  .refine(
    isEmbedOrigin,
    "Use an exact origin without a path, such as https://desk.example.org or http://localhost:5173.",
  );

/**
 * All settings, in the order of the documentation: the flag, the variable and the key in the config file, in this order
 * of precedence, then the default.
 */
export const SETTINGS = {
  port: {
    from: ["--port N", "HOLDPOINT_PORT", "port"],
    help: "port to listen on; 0 takes any free one",
    schema: z.int().min(0).max(65_535),
    default: 4870,
  },
  host: {
    from: ["--host ADDRESS", "HOLDPOINT_HOST", "host"],
    help: "address to listen on",
    default: "127.0.0.1",
  },
  open: {
    from: ["--no-open", "HOLDPOINT_OPEN", "open"],
    help: "open the browser at start",
    default: true,
  },
  dataDir: {
    from: ["--data-dir DIR", "HOLDPOINT_DATA_DIR", "dataDir"],
    help: "where sessions and answers are kept",
    shownDefault: "the platform's data folder",
    isPath: true,
    commands: ALL,
  },
  store: {
    from: ["--store ADDRESS", "HOLDPOINT_STORE", "store"],
    help: "`sqlite`, or the address of a Postgres database, such as `postgres://user@host/database`; see [postgres.md](postgres.md)",
    schema: z
      .string()
      .regex(
        /^sqlite$|^postgres(?:ql)?:\/\//u,
        "Use sqlite, or the address of a Postgres database such as postgres://user@host/database.",
      ),
    shownDefault: "`sqlite`",
    isSecret: true,
    commands: STORING,
  },
  clusterSecretFile: {
    from: ["--cluster-secret-file FILE", "HOLDPOINT_CLUSTER_SECRET_FILE", "cluster.secretFile"],
    help: "a file with the secret of all nodes, at least 32 random bytes, readable only by you; see [nodes.md](nodes.md)",
    isPath: true,
  },
  clusterSecret: {
    from: ["HOLDPOINT_CLUSTER_SECRET"],
    help: "the secret of all nodes itself, instead of its file",
    isSecret: true,
  },
  nodeAddress: {
    from: ["--node-address ADDRESS", "HOLDPOINT_NODE_ADDRESS", "cluster.nodeAddress"],
    help: "the address for other nodes, such as `10.0.0.2:4871`",
    shownDefault: "on this machine, at any free port",
  },
  cwd: {
    from: ["--cwd DIR", "HOLDPOINT_CWD", "cwd"],
    help: "the default directory for sessions",
    default: ".",
    shownDefault: "the directory where the command was started",
    isPath: true,
    commands: LOADING,
  },
  agent: {
    from: ["--agent NAME", "HOLDPOINT_AGENT", "agent"],
    help: "the agent that is offered first: `claude` or `demo`",
    inDirectory: true,
    commands: LOADING,
  },
  publicUrl: {
    from: ["--public-url URL", "HOLDPOINT_PUBLIC_URL", "publicUrl"],
    help: "the https address that people use, if not the bind address; it may have a path, see [devices.md](devices.md#under-a-path)",
    schema: webAddress,
  },
  tlsCert: {
    from: ["--tls-cert FILE", "HOLDPOINT_TLS_CERT"],
    help: "serve https with this certificate, in PEM; read again when it changes",
    isPath: true,
  },
  tlsKey: {
    from: ["--tls-key FILE", "HOLDPOINT_TLS_KEY"],
    help: "the private key of the certificate",
    isPath: true,
  },
  trustProxy: {
    from: ["--trust-proxy LIST", "HOLDPOINT_TRUST_PROXY"],
    help: "addresses or networks of your proxies, such as `10.0.0.0/8`, separated by commas",
    schema: z.array(z.string()),
    default: [],
  },
  embedOrigins: {
    from: ["--embed-origin ORIGIN...", "HOLDPOINT_EMBED_ORIGINS", "embedOrigins"],
    help: "origins whose pages may use the API, such as `https://desk.example`",
    schema: z.array(embedOrigin),
    default: [],
  },
  metrics: {
    from: ["metrics"],
    help: "access to `/metrics`: with a program's `token`, for any program on this machine (`loopback`), or for no one (`off`)",
    schema: z.enum(METRICS_ACCESSES),
    default: "token",
  },
  token: {
    from: ["HOLDPOINT_TOKEN"],
    help: "a person's bearer token for programs; 32 characters or more",
    schema: z.string().min(32, "Use at least 32 random characters."),
    isSecret: true,
  },
  tokenFile: {
    from: ["HOLDPOINT_TOKEN_FILE"],
    help: "a file with that token, readable only by you; `-` is standard input",
  },
  holdTimeoutMs: {
    from: ["HOLDPOINT_HOLD_TIMEOUT_MS", "holdTimeoutMs"],
    help: "how long an interaction holds its agent, in milliseconds",
    schema: z.int().min(1000),
    default: Infinity,
    inDirectory: true,
  },
  onDisconnect: {
    from: ["onDisconnect"],
    help: "`wait`, or `deny` pending interactions when no client is left that can answer; a tool may choose otherwise",
    schema: z.enum(["wait", "deny"]),
    default: "wait",
    inDirectory: true,
  },
  availability: {
    from: ["availability"],
    help: "`wait`, or `refuse` a tool's request while no client can answer",
    schema: z.enum(["wait", "refuse"]),
    default: "wait",
    inDirectory: true,
  },
  availabilityGraceMs: {
    from: ["availabilityGraceMs"],
    help: "how long a client may be disconnected before it counts as gone, in milliseconds",
    schema: milliseconds,
    default: 10_000,
  },
  parkAfterMs: {
    from: ["parkAfterMs"],
    help: "how long an agent runs while it waits for a person, in milliseconds",
    schema: milliseconds,
    default: 120_000,
  },
  expiredDays: {
    from: ["overview.expiredDays"],
    help: "days that expired interactions stay in the overview; after that, they can still be answered in their session",
    schema: days,
    default: 7,
  },
  orphanedDays: {
    from: ["overview.orphanedDays"],
    help: "days that orphaned interactions stay in the overview",
    schema: days,
    default: 30,
  },
  alwaysDays: {
    from: ["grants.alwaysDays"],
    help: 'days until an approval "from now on" ends',
    schema: days,
    default: 30,
  },
  otlp: {
    from: ["--otlp URL", "HOLDPOINT_OTLP", "otlp"],
    help: "a collector that gets spans and metrics, over OTLP/HTTP, such as `http://127.0.0.1:4318`",
    schema: webAddress,
  },
  logLevel: {
    from: ["--log-level LEVEL", "HOLDPOINT_LOG", "log.level"],
    help: "minimum level of log entries on stderr: `trace` to `fatal`, or `silent`",
    schema: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]),
    default: "warn",
  },
  logFormat: {
    from: ["--log-format FORMAT", "HOLDPOINT_LOG_FORMAT", "log.format"],
    help: "format of the log: `json`, or `text` for a person",
    schema: z.enum(LOG_FORMATS),
    default: "json",
  },
  retention: {
    from: ["retention"],
    help: "which sessions are deleted automatically, once a day",
    schema: retentionConfigSchema,
  },
  idleDays: {
    from: ["credentials.idleDays"],
    help: "days without use after which a device must sign in again",
    schema: days,
    default: 30,
  },
  absoluteDays: {
    from: ["credentials.absoluteDays"],
    help: "days after which a device must sign in again in any case",
    schema: days,
    default: 180,
  },
  people: {
    from: ["people"],
    help: "other people who may sign in, and where they do so",
    schema: peopleConfigSchema,
  },
  responders: {
    from: ["responders"],
    help: "the people who may answer",
    schema: respondersConfigSchema,
  },
  toolHoldLimitMs: {
    from: ["toolHoldLimitMs"],
    help: "how long a tool call holds an agent that you started yourself, in milliseconds, before it ends as queued",
    schema: z.int().min(1000),
    shownDefault: "less than the known limit of that agent",
    inDirectory: true,
  },
  tools: {
    from: ["tools"],
    help: "tools offered to every agent, in addition to those in the folder `tools`",
    schema: toolsSchema,
    inDirectory: true,
  },
  isolate: {
    from: ["--isolate MODE", "HOLDPOINT_ISOLATE", "agents.isolate"],
    help: "run agents where they cannot reach the data folder: `namespace`, or `user:NAME`; see [isolation.md](isolation.md)",
    commands: LOADING,
  },
  maxIdleAgents: {
    from: ["--max-idle-agents N", "HOLDPOINT_MAX_IDLE_AGENTS", "agents.maxIdle"],
    help: "agents whose processes are kept between turns, each about 200 MB",
    schema: z.int().min(0).max(9999),
    default: 4,
  },
  agentEnvironment: {
    from: ["agents.environment"],
    help: "names of additional variables for agents",
    schema: z.array(
      z.string().regex(/^(?!HOLDPOINT_)[A-Z_]\w*\*?$/iu, "is not the name of a variable"),
    ),
  },
  notify: {
    from: ["notify"],
    help: "push notifications and webhooks",
    schema: notifyConfigSchema,
  },
  callbackHosts: {
    from: ["asks.callbacks"],
    help: "hosts that programs may use in the callback of an ask",
    schema: callbacksConfigSchema,
  },
  claudeSettingSources: {
    from: ["claude.settingSources"],
    help: "the settings that Claude reads: `user`, `project`, `local`",
    schema: z.array(z.enum(["user", "project", "local"])),
  },
  config: {
    from: ["--config FILE", "HOLDPOINT_CONFIG"],
    help: "load this config file and the tools beside it without asking",
    isPath: true,
    commands: LOADING,
  },
  watch: {
    from: ["--watch"],
    help: "ask immediately when config file, tools, or the files they import change",
    default: false,
  },
  acceptLoss: {
    from: ["--accept-loss"],
    help: "continue although part of the history is missing; grants are deleted",
    default: false,
  },
  from: { from: ["--from ADDRESS"], help: "the source", commands: ["move"] },
  to: { from: ["--to ADDRESS"], help: "the target", commands: ["move"] },
  dryRun: {
    from: ["--dry-run"],
    help: "only list the sessions that would be deleted",
    default: false,
    commands: ["prune"],
  },
  days: {
    from: ["--days N"],
    help: "try this for `retention.days`",
    schema: amount,
    commands: ["prune"],
  },
  megabytes: {
    from: ["--megabytes N"],
    help: "try this for `retention.sessionMegabytes`",
    schema: amount,
    commands: ["prune"],
  },
  session: { from: ["--session ID"], help: "export only this session", commands: ["audit"] },
  since: {
    from: ["--since TIME"],
    help: "export only sessions with events from this time on, such as `2026-11-24T08:00:00Z`",
    commands: ["audit"],
  },
  until: {
    from: ["--until TIME"],
    help: "export only sessions with events up to this time, such as `2026-11-24`",
    commands: ["audit"],
  },
  out: {
    from: ["--out FILE"],
    help: "write a new file that only you can read; without it the export goes to standard output",
    commands: ["audit"],
  },
  head: {
    from: ["--head HASH..."],
    help: "`verify`: fail unless the file has an event with this hash; can be repeated",
    schema: z.array(z.string()),
    commands: ["audit"],
  },
  heads: {
    from: ["--heads FILE"],
    help: "`verify`: require the heads of all sessions in this earlier export, which is verified first",
    commands: ["audit"],
  },
  project: {
    from: ["--project"],
    help: "the settings of the project in this directory",
    default: false,
    commands: ["adopt"],
  },
  print: {
    from: ["--print"],
    help: "only show what would be written",
    default: false,
    commands: ["adopt"],
  },
  undo: { from: ["--undo"], help: "remove the hooks", default: false, commands: ["adopt"] },
  label: { from: ["--label NAME"], help: "the agent's name", commands: ["agent-token"] },
  json: {
    from: ["--json", "HOLDPOINT_JSON"],
    help: "print one line of JSON and nothing else",
    default: false,
    commands: ALL,
  },
  help: { from: ["-h, --help"], help: "print this text", default: false, commands: ALL },
  version: { from: ["-v, --version"], help: "print the version", default: false, commands: ALL },
  url: {
    from: ["HOLDPOINT_URL"],
    help: "for `holdpoint ask`: the gateway's address",
    commands: [],
  },
  agentToken: {
    from: ["HOLDPOINT_AGENT_TOKEN"],
    help: "for `holdpoint ask`: the token to ask with",
    isSecret: true,
    commands: [],
  },
} as const satisfies Readonly<Record<string, Setting>>;
/** The settings with their flags, variables and keys, in the order of the table. */
export const SETTING_LIST: readonly SettingParts[] = Object.entries<Setting>(SETTINGS).map(
  ([name, setting]) => partsOfSetting(name, setting),
);

/** The settings that a command takes as flags. */
export function settingsOf(command: Command): SettingParts[] {
  return SETTING_LIST.filter(({ flag, commands }) => flag && commands.includes(command));
}

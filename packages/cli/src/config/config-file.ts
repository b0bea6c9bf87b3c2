import type { Tool } from "@holdpoint/engine";
import { parseExactJson, type Saying, saying } from "@holdpoint/protocol";
import { METRICS_ACCESSES } from "@holdpoint/server";
import { z } from "zod";

import { toLoadReason } from "../load-error.ts";
import { LOG_FORMATS } from "../log.ts";
import { checkTool } from "../tools/tool-files.ts";
import type { ImportOwn } from "../trust/own-modules.ts";
import type { SnapshotFile } from "../trust/snapshot.ts";
import { UsageError } from "../usage-error.ts";
import { peopleConfigSchema } from "./people-config.ts";
import { respondersConfigSchema } from "./responders-config.ts";

/** The content of `holdpoint.config.ts`, `.js`, `.mjs` or `.json`. */
export const configSchema = z.strictObject({
  port: z.int().min(0).max(65_535).optional(),
  host: z.string().min(1).optional(),
  /** Open the browser at the start. */
  open: z.boolean().optional(),
  dataDir: z.string().min(1).optional(),
  /**
   * Where sessions and answers are kept, such as `postgres://user:password@host/database`. Default: in the data folder.
   */
  store: z.string().min(1).optional(),
  /** For several gateways on one Postgres database: one works, the others stand by. */
  cluster: z
    .strictObject({
      /** A file with at least 32 random bytes that only you can read: the same on every node. */
      secretFile: z.string().min(1).optional(),
      /**
       * The address at which other nodes reach this one, such as `10.0.0.2:4871`. Default: on this machine, at any free
       * port.
       */
      nodeAddress: z.string().min(1).optional(),
    })
    .optional(),
  /** The directory in which agents work if a session names none. */
  cwd: z.string().min(1).optional(),
  /** The agent that is offered first. */
  agent: z.string().min(1).optional(),
  /** The https address that people use, if it differs from the bind address. */
  publicUrl: z.url({ protocol: /^https?$/ }).optional(),
  /** Origins whose pages may use the API, such as `https://desk.example`. */
  embedOrigins: z.array(z.string()).optional(),
  /**
   * Access to `/metrics`: with a program's token (`token`, the default), for any program on this machine (`loopback`),
   * or for no one (`off`).
   */
  metrics: z.enum(METRICS_ACCESSES).optional(),
  /** How long an interaction holds its agent, in milliseconds. */
  holdTimeoutMs: z.int().min(1000).optional(),
  /**
   * Whether interactions stay pending (the default) or are denied when no client is left that can answer. A tool may
   * choose otherwise for its own requests.
   */
  onDisconnect: z.enum(["wait", "deny"]).optional(),
  /** Whether a tool's request waits for a person while no client can answer (the default), or is refused. */
  availability: z.enum(["wait", "refuse"]).optional(),
  /** How long a client may be disconnected before it counts as gone, in milliseconds. Default: 10 seconds. */
  availabilityGraceMs: z.int().min(0).optional(),
  /**
   * How long an agent that waits for a person keeps running, in milliseconds, before it is ended until the answer.
   * Default: 2 minutes.
   */
  parkAfterMs: z.int().min(0).optional(),
  /** How long unanswered interactions stay in the overview. After that, they can still be answered in their session. */
  overview: z
    .strictObject({
      /** Days after an interaction has expired. Default: 7. */
      expiredDays: z.number().positive().max(3650).optional(),
      /** Days after an interaction was orphaned. Default: 30. */
      orphanedDays: z.number().positive().max(3650).optional(),
    })
    .optional(),
  grants: z
    .strictObject({
      /** Days until an approval "from now on" ends. */
      alwaysDays: z.number().positive().max(3650).optional(),
    })
    .optional(),
  /** A collector for spans and metrics, over OTLP/HTTP, such as `http://127.0.0.1:4318`. Default: none. */
  otlp: z.url({ protocol: /^https?$/ }).optional(),
  log: z
    .strictObject({
      /** The minimum level of log entries: `trace` to `fatal`, or `silent`. Default: `warn`. */
      level: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).optional(),
      /** Lines of JSON (the default), or of text for a person. */
      format: z.enum(LOG_FORMATS).optional(),
    })
    .optional(),
  /**
   * Which sessions the gateway deletes automatically, once a day. Default: none. Sessions that can still be answered,
   * even late, are never deleted.
   */
  retention: z
    .strictObject({
      /** Days without any change. */
      days: z.number().min(1).max(36_500).optional(),
      /** Megabytes of the session's log and files; the session must be unchanged for a day. */
      sessionMegabytes: z.number().min(1).optional(),
    })
    .optional(),
  credentials: z
    .strictObject({
      /** Days without use until a device has to sign in again. Default: 30. */
      idleDays: z.number().positive().max(3650).optional(),
      /** Days until a device has to sign in again in any case. Default: 180. */
      absoluteDays: z.number().positive().max(3650).optional(),
    })
    .optional(),
  /**
   * How long a tool call may hold an agent started by a person, in milliseconds, before the call ends as queued.
   * Default: less than the known limit of that agent.
   */
  toolHoldLimitMs: z.int().min(1000).optional(),
  /** Tools offered to every agent, in addition to those in the folder `tools` next to this file. */
  tools: z.array(z.unknown().transform(toTool)).optional(),
  agents: z
    .strictObject({
      /** Separates agents from the gateway's files: `namespace`, or `user:NAME`. */
      isolate: z.string().min(1).optional(),
      /** How many agent processes are kept between turns. Each takes about 200 MB. Default: 4. */
      maxIdle: z.int().min(0).max(9999).optional(),
      /** Names of variables that agents may have, besides the variables that every program needs and their own key. */
      environment: z
        .array(z.string().regex(/^(?!HOLDPOINT_)[A-Z_]\w*\*?$/iu, "is not the name of a variable"))
        .optional(),
    })
    .optional(),
  notify: z
    .strictObject({
      /**
       * Hosts of push services, in addition to the known browsers' services, such as `push.example.org` or
       * `localhost:8443`.
       */
      pushServices: z
        .array(z.string().regex(/^(?:\*\.)?[\w.-]+(?::\d{1,5})?$/u, "is not a host"))
        .optional(),
      /** The contact to which a push service may write about this gateway's messages. */
      contact: z
        .string()
        .regex(/^(?:mailto:[^\s@]+@\S+|https:\/\/\S+)$/u, "is no address")
        .optional(),
      /** Addresses that are notified of requests by signed HTTP requests. */
      webhooks: z
        .array(
          z.strictObject({
            url: z.url({ protocol: /^https?$/ }),
            /** The key that signs the requests. */
            secret: z.string().min(16),
            about: z.enum(["all", "approvals"]).optional(),
            /** Only requests that one of these groups can answer. */
            groups: z.array(z.string().min(1).max(256)).min(1).max(64).optional(),
          }),
        )
        .max(8)
        .optional(),
    })
    .optional(),
  asks: z
    .strictObject({
      /** Hosts that programs may name in the callback of an ask. */
      callbacks: z
        .array(
          z.strictObject({
            /** A host name or address with an optional port, such as `ci.example.org` or `127.0.0.1:9000`. */
            host: z.string().regex(/^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/iu, "is not a host"),
            /** The key that signs the requests. */
            secret: z.string().min(16),
            /** Whether the name may resolve to addresses of this machine and its networks. */
            private: z.boolean().optional(),
          }),
        )
        .max(32)
        .optional(),
    })
    .optional(),
  /** Other people who may sign in, and where they do so. Default: no one. */
  people: peopleConfigSchema.optional(),
  /** Policies for responders. Default: everyone with the role `responder` may answer everything. */
  responders: respondersConfigSchema.optional(),
  claude: z
    .strictObject({
      /** Which settings Claude reads. `project` and `local` let a directory's own files allow tools and run hooks. */
      settingSources: z.array(z.enum(["user", "project", "local"])).optional(),
    })
    .optional(),
});
export type ConfigFile = z.infer<typeof configSchema>;

const KEYS = Object.keys(configSchema.shape).join(", ");

/**
 * Allowed keys in the config file of a directory. All other keys decide who reaches the gateway, where it keeps its
 * data, or what runs without asking: a directory made by someone else must not set these.
 */
const DIRECTORY_KEYS: readonly string[] = [
  "agent",
  "holdTimeoutMs",
  "onDisconnect",
  "availability",
  "toolHoldLimitMs",
  "tools",
];

/** The flag with which a person sets the key instead. */
const INSTEAD: Readonly<Record<string, string>> = {
  port: "--port",
  host: "--host",
  open: "--no-open",
  dataDir: "--data-dir",
  store: "--store",
  cluster: "--cluster-secret-file",
  cwd: "--cwd",
  publicUrl: "--public-url",
  embedOrigins: "--embed-origin",
};

/** Who wrote the config file: the person of this account, or the author of a directory. */
export type ConfigOwner =
  | { readonly kind: "person" }
  | { readonly kind: "directory"; readonly userConfigPath: string };

/** Validates a config file's content. Throws `UsageError` with the file and the problem. */
export function parseConfig(path: string, content: unknown, owner: ConfigOwner): ConfigFile {
  const refused = owner.kind === "person" ? undefined : findRefused(content);
  if (refused !== undefined && owner.kind === "directory") {
    const [flag, file] = [INSTEAD[refused], owner.userConfigPath];
    throw new UsageError(
      flag === undefined
        ? saying("config_not_taken", { path, name: refused, file })
        : saying("config_not_taken_but", { path, name: refused, flag, file }),
    );
  }
  const result = configSchema.safeParse(content);
  if (result.success) return result.data;
  throw new UsageError(result.error.issues.slice(0, 1).flatMap((issue) => tellIssue(path, issue)));
}

/** A description of an invalid setting. */
function tellIssue(path: string, issue: z.core.$ZodIssue): Saying[] {
  const where = issue.path.join(".");
  const place = where === "" ? saying("config_in", { path }) : saying("config_at", { path, where });
  return [place, ...tellFault(issue, where === "")];
}

function tellFault(issue: z.core.$ZodIssue, isTop: boolean): Saying[] {
  switch (issue.code) {
    case "invalid_type":
      return [saying("config_type", { type: issue.expected })];
    case "too_small":
      return [saying("config_least", { least: String(issue.minimum) })];
    case "too_big":
      return [saying("config_most", { most: String(issue.maximum) })];
    case "invalid_value":
      return [saying("config_one_of", { values: issue.values.map(String).join(", ") })];
    case "unrecognized_keys": {
      const unknown = saying("config_unknown", { names: issue.keys.join(", ") });
      return isTop ? [unknown, saying("config_known", { names: KEYS })] : [unknown];
    }
    default:
      return [saying("config_other", { text: issue.message })];
  }
}

/** Reads and validates a config file from its snapshot. Rejects with `UsageError` like `parseConfig`. */
export async function readConfigFile(
  { path, bytes }: Pick<SnapshotFile, "path" | "bytes">,
  importOwn: ImportOwn,
  owner: ConfigOwner,
): Promise<ConfigFile> {
  return parseConfig(path, await readContent(path, bytes, importOwn), owner);
}

/** Merges config files key by key; later files win. */
export function mergeConfigs(files: readonly ConfigFile[]): ConfigFile {
  const merged: Record<string, unknown> = {};
  for (const [key, value] of files.flatMap((file) => Object.entries(file))) {
    merged[key] = isGroup(merged[key]) && isGroup(value) ? { ...merged[key], ...value } : value;
  }
  return merged;
}

/** Whether a value is a group of settings, such as `claude`. */
function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function findRefused(content: unknown): string | undefined {
  const keys = typeof content === "object" && content !== null ? Object.keys(content) : [];
  return keys.find(
    (key) => Object.hasOwn(configSchema.shape, key) && !DIRECTORY_KEYS.includes(key),
  );
}

async function readContent(path: string, bytes: Buffer, importOwn: ImportOwn): Promise<unknown> {
  // Also trims a byte order mark.
  const text = bytes.toString().trim();
  const content = await parseOrImport(path, text, importOwn).catch((error: unknown) => {
    throw new UsageError(saying("config_unreadable", { path, why: toLoadReason(error) }), {
      cause: error,
    });
  });
  if (text === "") return {};
  // A program without `export` is loaded like one with `module.exports`, which is an empty object until it is set.
  const exportsNothing = !path.endsWith(".json") && !/\bexports?\b/.test(text);
  if (content !== undefined && !exportsNothing) return content;
  throw new UsageError(saying("config_no_export", { path, example: "export default { … };" }));
}

async function parseOrImport(path: string, text: string, importOwn: ImportOwn): Promise<unknown> {
  if (!path.endsWith(".json")) return importOwn(path);
  return text === "" ? {} : parseExactJson(text);
}

function toTool(value: unknown, context: z.RefinementCtx): Tool {
  try {
    return checkTool(value);
  } catch (error) {
    context.addIssue({ code: "custom", message: error instanceof Error ? error.message : "" });
    return z.NEVER;
  }
}

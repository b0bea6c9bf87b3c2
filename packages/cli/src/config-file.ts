import { readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";

import type { Tool } from "@holdpoint/engine";
import { z } from "zod";

import { toLoadReason } from "./load-error.ts";
import { importDefault } from "./tools/own-modules.ts";
import { checkTool } from "./tools/tool-files.ts";
import { UsageError } from "./usage-error.ts";

/** What `holdpoint.config.ts`, `.js`, `.mjs` or `.json` may hold. */
export const configSchema = z.strictObject({
  port: z.int().min(0).max(65_535).optional(),
  host: z.string().min(1).optional(),
  /** Open the browser at the start. */
  open: z.boolean().optional(),
  dataDir: z.string().min(1).optional(),
  /** Where agents work when a session names no directory. */
  cwd: z.string().min(1).optional(),
  /** The agent that is offered first. */
  agent: z.string().min(1).optional(),
  /** The https address that people use, where it is not the bind address. */
  publicUrl: z.url({ protocol: /^https?$/ }).optional(),
  /** Origins whose pages may use the API, such as `https://desk.example`. */
  embedOrigins: z.array(z.string()).optional(),
  /** How long an interaction holds its agent, in milliseconds. */
  holdTimeoutMs: z.int().min(1000).optional(),
  /**
   * Whether interactions stay pending (the default) or are denied when no client is left that can answer. A tool may
   * choose otherwise for its own requests.
   */
  onDisconnect: z.enum(["wait", "deny"]).optional(),
  grants: z
    .strictObject({
      /** Days until an approval "from now on" ends. */
      alwaysDays: z.number().positive().max(3650).optional(),
    })
    .optional(),
  /**
   * How long a tool call may hold an agent that a person starts, in milliseconds, before it ends as queued. Default:
   * less than the known limit of that agent.
   */
  toolHoldLimitMs: z.int().min(1000).optional(),
  /** Offered to every agent, beside those in the folder `tools` next to this file. */
  tools: z.array(z.unknown().transform(toTool)).optional(),
  agents: z
    .strictObject({
      /** What agents are separated from the gateway's files by: `namespace`, or `user:NAME`. */
      isolate: z.string().min(1).optional(),
      /** Names of variables that agents may have, beside those that every program needs and their own key. */
      environment: z
        .array(z.string().regex(/^(?!HOLDPOINT_)[A-Z_]\w*\*?$/iu, "is not the name of a variable"))
        .optional(),
    })
    .optional(),
  claude: z
    .strictObject({
      /** Which settings Claude reads. `project` and `local` let a directory's own files allow tools and run hooks. */
      settingSources: z.array(z.enum(["user", "project", "local"])).optional(),
    })
    .optional(),
});
export type ConfigFile = z.infer<typeof configSchema>;

const KEYS = Object.keys(configSchema.shape).join(", ");
const NAMES = ["ts", "js", "mjs", "json"].map((extension) => `holdpoint.config.${extension}`);

/**
 * Reads the config file: the named one, or the first `holdpoint.config.*` in the directory; without one there is no
 * path, and `file` is empty. Throws `UsageError` naming the file and what is wrong with it.
 */
export async function loadConfigFile(
  directory: string,
  named?: string,
): Promise<{ readonly path?: string; readonly file: ConfigFile }> {
  const path =
    named === undefined
      ? await findConfigFile(directory)
      : await findNamed(resolve(directory, named));
  return path === undefined ? { file: {} } : { path, file: await readConfigFile(path) };
}

/** Reads the config file at this path; another version reads it again. Throws as `loadConfigFile` does. */
export async function readConfigFile(path: string, version = 0): Promise<ConfigFile> {
  const result = configSchema.safeParse(await readConfig(path, version));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue?.path.join(".");
  const known = issue?.code === "unrecognized_keys" && !where ? `. There are: ${KEYS}.` : "";
  throw new UsageError(`${path}: ${where ? `${where}: ` : ""}${issue?.message}${known}`);
}

async function findConfigFile(directory: string): Promise<string | undefined> {
  for (const name of NAMES) {
    const path = join(directory, name);
    if (await isFileAt(path)) return path;
  }
  return undefined;
}

async function findNamed(path: string): Promise<string> {
  if (!(await isFileAt(path))) throw new UsageError(`There is no config file ${path}.`);
  return path;
}

async function isFileAt(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isFile(),
    () => false,
  );
}

async function readConfig(path: string, version: number): Promise<unknown> {
  try {
    if (path.endsWith(".json")) return JSON.parse(await readFile(path, "utf8"));
    return (await importDefault(path, version)) ?? {};
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${toLoadReason(error)}`, { cause: error });
  }
}

function toTool(value: unknown, context: z.RefinementCtx): Tool {
  try {
    return checkTool(value);
  } catch (error) {
    context.addIssue({ code: "custom", message: error instanceof Error ? error.message : "" });
    return z.NEVER;
  }
}

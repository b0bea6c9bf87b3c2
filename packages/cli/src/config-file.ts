import { readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { z } from "zod";

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
  /** How long an interaction holds its agent, in milliseconds. */
  holdTimeoutMs: z.int().min(1000).optional(),
  claude: z
    .strictObject({
      /** Which settings Claude reads. `project` and `local` let a directory's own files allow tools and run hooks. */
      settingSources: z.array(z.enum(["user", "project", "local"])).optional(),
    })
    .optional(),
});
export type ConfigFile = z.infer<typeof configSchema>;

const NAMES = ["ts", "js", "mjs", "json"].map((extension) => `holdpoint.config.${extension}`);

/**
 * Reads the config file: the named one, or the first `holdpoint.config.*` in the directory; `{}` when there is none.
 * Throws `UsageError` naming the file and what is wrong with it.
 */
export async function loadConfigFile(directory: string, named?: string): Promise<ConfigFile> {
  const path = named === undefined ? await findConfigFile(directory) : resolve(directory, named);
  if (path === undefined) return {};
  const result = configSchema.safeParse(await readConfig(path));
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const where = issue?.path.join(".");
  throw new UsageError(`${path}: ${where ? `${where}: ` : ""}${issue?.message}`);
}

async function findConfigFile(directory: string): Promise<string | undefined> {
  for (const name of NAMES) {
    const path = join(directory, name);
    const isFile = await stat(path).then(
      (entry) => entry.isFile(),
      () => false,
    );
    if (isFile) return path;
  }
  return undefined;
}

async function readConfig(path: string): Promise<unknown> {
  try {
    if (path.endsWith(".json")) return JSON.parse(await readFile(path, "utf8"));
    const loaded: unknown = await import(pathToFileURL(path).href);
    return (loaded as { default?: unknown }).default ?? {};
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw new UsageError(`${path} cannot be read: ${reason}`, { cause: error });
  }
}

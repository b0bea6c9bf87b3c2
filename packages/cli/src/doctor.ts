import { lstat, readdir } from "node:fs/promises";
import { arch, platform, release } from "node:os";
import { join } from "node:path";

import {
  claudeEnvironment,
  createClaudeAdapter,
  isolatedEnvironment,
  type Isolation,
} from "@holdpoint/agents";
import { createSystemClock, createSystemIds } from "@holdpoint/engine";

import { openIsolation } from "./open-isolation.ts";
import { refuseCwd } from "./refuse-cwd.ts";
import type { Settings } from "./settings.ts";
import { CONFIG_NAMES, TOOLS_FOLDER } from "./trust/guarded-paths.ts";
import type { Environment } from "./variables.ts";
import { VERSION } from "./version.ts";

export interface DoctorOptions {
  readonly settings: Settings;
  readonly env: Environment;
  readonly startDirectory: string;
  /** Folder of the person's own settings. */
  readonly configDir: string;
  /** The config file that the person named. */
  readonly named: string | undefined;
}

/** What the doctor found. It holds names of variables and never what they hold. */
export interface Diagnosis {
  readonly versions: Readonly<Record<string, string>>;
  readonly config: {
    readonly own: string;
    readonly found: readonly string[];
    readonly named?: string;
  };
  readonly dataDir: { readonly path: string; readonly modes: Readonly<Record<string, string>> };
  readonly isolation: string;
  readonly agents: Readonly<
    Record<string, { readonly state: string; readonly environment: readonly string[] }>
  >;
  /** What a person should mend. */
  readonly problems: readonly string[];
}

const NO_ISOLATION =
  "none: what an agent runs, runs with all of your rights (--isolate, guides/isolation.md)";

/** Looks at the machine as a gateway would find it. Loads no code of a directory, and changes nothing. */
export async function diagnose(options: DoctorOptions): Promise<Diagnosis> {
  const { settings, configDir, named } = options;
  const { modes, problems: openFiles } = await readModes(settings.dataDir);
  const { isolation, text, problems: notIsolated } = await tryIsolation(options);
  const unusable =
    Object.keys(modes).length > 0 ? await refuseCwd(settings.cwd, settings.dataDir) : undefined;
  return {
    versions: {
      holdpoint: VERSION,
      node: process.versions.node,
      system: `${platform()} ${release()} ${arch()}`,
    },
    config: {
      own: join(configDir, "config.json"),
      found: await findConfig(options.startDirectory),
      ...(named !== undefined && { named }),
    },
    dataDir: { path: settings.dataDir, modes },
    isolation: text,
    agents: { claude: await describeClaude(options, isolation) },
    problems: [
      ...openFiles,
      ...notIsolated,
      ...(unusable === undefined ? [] : [`${settings.cwd}: ${unusable}`]),
    ],
  };
}

/** The diagnosis for a terminal. */
export function describeDiagnosis(diagnosis: Diagnosis): string {
  const { versions, config, dataDir, isolation, agents, problems } = diagnosis;
  const modes = Object.entries(dataDir.modes).map(([name, mode]) => `${mode} ${name}`);
  const none = ["(there is none yet)"];
  const lines = [
    ...Object.entries(versions).map(([name, version]) => [`${name}:`, version].join(" ")),
    "",
    `Your own settings: ${config.own}`,
    ...(config.named === undefined ? [] : [`Named config file: ${config.named}`]),
    ...config.found.map((path) => `Loaded only once you have trusted it: ${path}`),
    "",
    `Data folder: ${dataDir.path}`,
    ...(modes.length > 0 ? modes : none).map((line) => `  ${line}`),
    "",
    `Isolation: ${isolation}`,
    ...Object.entries(agents).flatMap(([name, { state, environment }]) => [
      "",
      `Agent ${name}: ${state}`,
      "  gets these variables:",
      ...environment.map((variable) => `  ${variable}`),
    ]),
    "",
    ...(problems.length === 0 ? ["No problem was found."] : problems.map((each) => `! ${each}`)),
    "",
  ];
  return lines.join("\n");
}

async function describeClaude(
  { settings, env }: DoctorOptions,
  isolation: Isolation | undefined,
): Promise<Diagnosis["agents"][string]> {
  const { agentEnvironment: environmentNames = [] } = settings;
  const own = isolatedEnvironment(env, isolation);
  const seams = { clock: createSystemClock(), ids: createSystemIds() };
  await using adapter = createClaudeAdapter({ ...seams, env: own, environmentNames });
  const { available, unavailableReason } = await adapter.describe({
    signal: AbortSignal.timeout(10_000),
  });
  return {
    state: available ? "can be started" : (unavailableReason ?? "unavailable"),
    environment: Object.keys(claudeEnvironment(own, { environmentNames })).toSorted(),
  };
}

interface Tried {
  readonly isolation?: Isolation;
  readonly text: string;
  readonly problems: readonly string[];
}

async function tryIsolation({ settings, env, configDir }: DoctorOptions): Promise<Tried> {
  const { isolate: wanted, dataDir, cwd } = settings;
  if (wanted === undefined) return { text: NO_ISOLATION, problems: [] };
  try {
    const isolation = await openIsolation({ wanted, dataDir, cwd, env, configDir });
    return { isolation, text: `${wanted}: tried, and it holds`, problems: [] };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { text: `${wanted}: it does not hold`, problems: [reason] };
  }
}

async function findConfig(directory: string): Promise<string[]> {
  const paths = [...CONFIG_NAMES, TOOLS_FOLDER].map((name) => join(directory, name));
  const entries = await Promise.all(paths.map((path) => lstat(path).catch(() => undefined)));
  return paths.filter((_, at) => entries[at] !== undefined);
}

/** The modes of the data folder and of what is in it, and what is wrong with them. */
async function readModes(
  dataDir: string,
): Promise<{ modes: Record<string, string>; problems: string[] }> {
  const modes: Record<string, string> = {};
  const problems: string[] = [];
  const names = await readdir(dataDir).catch(() => undefined);
  for (const name of names === undefined ? [] : [".", ...names]) {
    const entry = await lstat(join(dataDir, name)).catch(() => undefined);
    if (entry === undefined) continue; // removed in the meantime
    modes[name] = (entry.mode & 0o777).toString(8).padStart(4, "0");
    const isOwn = process.getuid === undefined || entry.uid === process.getuid();
    if (!isOwn) problems.push(`${join(dataDir, name)} belongs to another user.`);
    const isOpen = process.platform !== "win32" && (entry.mode & 0o077) !== 0;
    if (isOpen) problems.push(`${join(dataDir, name)} is open to other users: chmod go= it.`);
  }
  return { modes, problems };
}

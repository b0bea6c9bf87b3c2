import { resolve } from "node:path";

import type { Environment } from "../environment.ts";
import type { FlagValues } from "../flags.ts";
import type { TlsFiles } from "../network/read-tls.ts";
import { type ClusterSettings, resolveCluster } from "./cluster-settings.ts";
import type { ConfigFile } from "./config-file.ts";
import { assertEncrypted, assertMayBind, resolveTls } from "./network-settings.ts";
import type { SettingValues } from "./setting-values.ts";
import { readGiven } from "./setting.ts";
import { SETTING_LIST } from "./settings-table.ts";

/** The gateway's resolved settings, from all sources. */
export interface Settings extends Omit<SettingValues, "dataDir"> {
  readonly dataDir: string;
  readonly tls?: TlsFiles;
  /** Set if this gateway is one of several nodes. */
  readonly cluster?: ClusterSettings;
}

export interface SettingsSources {
  readonly flags: FlagValues;
  readonly env: Environment;
  /** The merged content of the config files. */
  readonly file: ConfigFile;
  readonly defaultDataDir: string;
  /** The directory in which the command was started. */
  readonly startDirectory: string;
}

/**
 * Flags override `HOLDPOINT_*` variables, which override the config file, which overrides the defaults. Throws
 * `UsageError`.
 */
export function resolveSettings(sources: SettingsSources): Settings {
  const { store, ...values } = readValues(sources);
  const isPostgres = store !== undefined && store !== "sqlite";
  const settings = {
    dataDir: sources.defaultDataDir,
    ...values,
    ...(isPostgres && { store }),
    open: values.open && !values.json,
  };
  const tls = resolveTls(settings);
  const cluster = resolveCluster(settings);
  const whole = { ...settings, ...(tls && { tls }), ...(cluster && { cluster }) };
  assertEncrypted(whole);
  assertMayBind(whole);
  return whole;
}

function readValues({ flags, env, file, startDirectory }: SettingsSources): SettingValues {
  const values = SETTING_LIST.map((setting) => {
    const { name, key, isPath, default: byDefault } = setting;
    const value = readGiven(setting, flags, env) ?? readKey(file, key) ?? byDefault;
    return [name, isPath && typeof value === "string" ? resolve(startDirectory, value) : value];
  });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as SettingValues;
}

function readKey(file: ConfigFile, key = ""): unknown {
  const [group = "", member] = key.split(".");
  const value: unknown = (file as Readonly<Record<string, unknown>>)[group];
  return member === undefined ? value : (value as Record<string, unknown> | undefined)?.[member];
}

const KNOWN = new Set(SETTING_LIST.map(({ variable }) => variable));

/** Variables with the gateway's prefix that it does not know. */
export function unknownVariables(env: Environment): string[] {
  return Object.keys(env).filter((name) => name.startsWith("HOLDPOINT_") && !KNOWN.has(name));
}

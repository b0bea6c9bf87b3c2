import { join } from "node:path";

/** Possible names of a config file; the first one that exists is used. */
export const CONFIG_NAMES: readonly string[] = ["ts", "js", "mjs", "json"].map(
  (extension) => `holdpoint.config.${extension}`,
);
/** The folder with tool files, next to a config file. */
export const TOOLS_FOLDER = "tools";

export interface GuardedPathsOptions {
  readonly dataDir: string;
  /** Files with the gateway's secrets. */
  readonly secretFiles?: readonly string[];
  /** The person's own config file, whether or not it exists. */
  readonly userConfigPath: string;
  /** Directories that a gateway could be started in: its own, and the agents' working directories. */
  readonly directories: readonly string[];
  /** The config file that the person named with `--config`. */
  readonly configPath?: string | undefined;
  /** Other files that the gateway loads, such as modules imported by the person's tools. */
  readonly files?: readonly string[];
}

/** Absolute paths that agents must keep away from. A folder includes everything in it. */
export interface GuardedPaths {
  /** Agents may neither read nor change these. */
  readonly closed: readonly string[];
  /**
   * Agents may read these paths. Each change needs a person's approval, since the gateway may load it as settings or
   * code.
   */
  readonly askBeforeChange: readonly string[];
}

/** Lists the paths that decide the gateway's behaviour, whether or not they exist. Reads nothing. */
export function guardedPaths({
  dataDir,
  secretFiles = [],
  userConfigPath,
  directories,
  configPath,
  files = [],
}: GuardedPathsOptions): GuardedPaths {
  const loaded = directories.flatMap((directory) =>
    [...CONFIG_NAMES, TOOLS_FOLDER].map((name) => join(directory, name)),
  );
  const named = configPath === undefined ? [] : [configPath, join(configPath, "..", TOOLS_FOLDER)];
  return {
    closed: [dataDir, ...secretFiles],
    askBeforeChange: [...new Set([userConfigPath, ...loaded, ...named, ...files])],
  };
}

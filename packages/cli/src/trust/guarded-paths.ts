import { join } from "node:path";

/** What a config file can be called, the one that is taken first in front. */
export const CONFIG_NAMES: readonly string[] = ["ts", "js", "mjs", "json"].map(
  (extension) => `holdpoint.config.${extension}`,
);
/** The folder beside a config file that tool files are in. */
export const TOOLS_FOLDER = "tools";

export interface GuardedPathsOptions {
  readonly dataDir: string;
  /** Files from which the gateway has secrets. */
  readonly secretFiles?: readonly string[];
  /** The person's own config file, whether it exists or not. */
  readonly userConfigPath: string;
  /** Directories that a gateway could be started in: its own, and those that agents work in. */
  readonly directories: readonly string[];
  /** The config file that the person named with `--config`. */
  readonly configPath?: string | undefined;
  /** Other files that the gateway loads, such as the modules that the person's tools import. */
  readonly files?: readonly string[];
}

/** Absolute paths that agents must keep away from. A path of a folder stands for everything in it. */
export interface GuardedPaths {
  /** Agents may neither read nor change these. */
  readonly closed: readonly string[];
  /** Agents may read these. Each change needs the approval of a person: the gateway may load it as settings or code. */
  readonly askBeforeChange: readonly string[];
}

/** Lists the paths that decide what the gateway does, whether something is there or not. Reads nothing. */
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

import type { ConfigFile } from "./config-file.ts";

/** The default export of `holdpoint.config.ts`. */
export type Config = ConfigFile;

/** Types a config file; returns it unchanged. */
export function defineConfig(config: Config): Config {
  return config;
}

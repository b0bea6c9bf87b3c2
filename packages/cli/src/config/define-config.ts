import type { ConfigFile } from "./config-file.ts";

/** What `holdpoint.config.ts` exports by default. */
export type Config = ConfigFile;

/** Types a config file; does nothing else. */
export function defineConfig(config: Config): Config {
  return config;
}

import { basename, dirname } from "node:path";

import type { Clock, Tool } from "@holdpoint/engine";

import { readConfigFile } from "./config-file.ts";
import type { Settings } from "./settings.ts";
import { ToolBox } from "./tools/tool-box.ts";
import { watchTools } from "./tools/watch-tools.ts";

/** Loads the person's own tools. Reports a broken file to `say`, and loads the others. */
export async function openTools(
  { configPath, tools: configTools }: Pick<Settings, "configPath" | "tools">,
  say: (line: string) => void,
): Promise<ToolBox | undefined> {
  // Without a config file, a folder named `tools` belongs to another program.
  if (configPath === undefined) return undefined;
  const box = new ToolBox({
    folder: dirname(configPath),
    configPath,
    configTools,
    importConfigTools: async (version) => (await readConfigFile(configPath, version)).tools ?? [],
    onProblem: (source, problem) => say(`holdpoint: ${source}: ${problem}`),
  });
  await box.load();
  return box;
}

export interface FollowToolsOptions {
  readonly box: ToolBox;
  readonly clock: Clock;
  readonly onTools: (tools: readonly Tool[]) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Loads tools again when their files change, until it is disposed. */
export function followTools({ box, clock, onTools, onError }: FollowToolsOptions): Disposable {
  const { configPath } = box;
  return watchTools({
    folder: dirname(configPath),
    configName: basename(configPath),
    listFiles: () => box.files,
    clock,
    onChange: async () => {
      try {
        if (await box.load()) await onTools(box.tools);
      } catch (error: unknown) {
        onError(error);
      }
    },
  });
}

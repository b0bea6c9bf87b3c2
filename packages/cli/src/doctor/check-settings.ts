import { lstat } from "node:fs/promises";
import { join } from "node:path";

import { CONFIG_NAMES, TOOLS_FOLDER } from "../trust/guarded-paths.ts";
import { type Finding, Findings } from "./finding.ts";
import type { Scene } from "./read-scene.ts";

/** Reports the sources of the settings. */
export async function checkSettings(scene: Scene): Promise<Finding[]> {
  const findings = new Findings("Settings");
  const own = join(scene.configDir, "config.json");
  if (scene.configProblem !== undefined) {
    findings.problem(scene.configProblem, "No gateway starts until this is fixed.", { own });
  } else {
    const isThere = await exists(own);
    findings.ok(`your own are in ${own}${isThere ? "" : ", which does not exist"}`, {
      own,
      isThere,
    });
  }
  if (scene.named !== undefined) {
    findings.ok(`named config file: ${scene.named}`, { named: scene.named });
  }
  for (const path of await findConfig(scene.startDirectory)) {
    findings.ok(`loaded only once you have trusted it: ${path}`, { found: path });
  }
  return findings.list;
}

async function findConfig(directory: string): Promise<string[]> {
  const paths = [...CONFIG_NAMES, TOOLS_FOLDER].map((name) => join(directory, name));
  const areThere = await Promise.all(paths.map(exists));
  return paths.filter((_, at) => areThere[at]);
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

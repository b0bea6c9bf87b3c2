/*
 * Loads the tools named by its argument as a gateway would, and writes the result to descriptor 3. `tryTools` starts it
 * with Node's permission model.
 */
import { writeSync } from "node:fs";

import { readConfigFile } from "../config/config-file.ts";
import { ToolBox } from "../tools/tool-box.ts";
import { serveOwnModules } from "../trust/own-modules.ts";
import { readSnapshot } from "../trust/snapshot.ts";
import type { ToolsToTry } from "./try-tools.ts";

const { hash, ...place } = JSON.parse(process.argv[2] ?? "") as ToolsToTry;
const snapshot = await readSnapshot(place);
if (snapshot?.hash !== hash) process.exit(1);
const box = new ToolBox({
  importConfigTools: async (config, importOwn) =>
    (await readConfigFile(config, importOwn, { kind: "person" })).tools ?? [],
  onProblem: () => undefined,
});
const { folder, files } = snapshot;
const bytes = new Map(files.map((file) => [file.path, file.bytes]));
await box.load(snapshot, serveOwnModules({ folder, bytes }));
writeSync(3, JSON.stringify(box.summaries));
// Exits explicitly, since a tool may have left a timer running.
process.exit(0);

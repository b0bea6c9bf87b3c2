// Starts the gateway from the sources; builds the web interface first when it is missing or older than its sources.
import { spawnSync } from "node:child_process";
import { globSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { main } from "../packages/cli/src/main.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const SOURCES =
  "packages/{protocol,client,react,web}/{src,public,index.html,vite.config.ts,package.json}";

function modifiedAt(path: string): number {
  return statSync(`${root}/${path}`, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function isWebBuilt(): boolean {
  const builtAt = modifiedAt("packages/web/dist/index.html");
  const sources = [
    ...globSync(SOURCES, { cwd: root }),
    ...globSync(`${SOURCES}/**/*`, { cwd: root }),
  ];
  return sources.every((path) => modifiedAt(path) <= builtAt);
}

if (!isWebBuilt()) {
  process.stderr.write("Building the web interface…\n");
  const { status } = spawnSync("vite", ["build", "packages/web", "--logLevel", "error"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
  });
  if (status !== 0) process.exit(1);
}
await main(process.argv.slice(2));

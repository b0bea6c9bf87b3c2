// The published program, from its start until it prints its address.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

import { withFolder } from "./support/processes.ts";
import { atMost, median, type Row } from "./support/report.ts";

const ROOT = join(import.meta.dirname, "..");
const PROGRAM = join(ROOT, "dist/holdpoint/bin/holdpoint.js");
const RUNS = 9;
const MAX_READY_MS = 400;

/** Builds the package, and starts it repeatedly on one data folder. */
export function measureLaunch(): Promise<Row[]> {
  const build = spawnSync(process.execPath, ["scripts/build-package.ts"], { cwd: ROOT });
  if (build.status !== 0) throw new Error(`The package was not built: ${String(build.stderr)}`);
  return withFolder(async (dataDir) => {
    // Creates the data folder, and everything that is created only once.
    await launch(dataDir);
    const durations: number[] = [];
    for (let run = 0; run < RUNS; run += 1) durations.push(await launch(dataDir));
    const readyMs = median(durations);
    const fastest = Math.min(...durations);
    return [
      {
        what: "holdpoint ready on an existing folder, p50",
        figure: `${readyMs.toFixed(0)} ms (fastest ${fastest.toFixed(0)} ms)`,
        budget: atMost(readyMs, MAX_READY_MS, `${MAX_READY_MS} ms`),
      },
    ];
  });
}

async function launch(dataDir: string): Promise<number> {
  const startedAt = performance.now();
  const args = [PROGRAM, "--json", "--no-open", "--port", "0", "--data-dir", dataDir];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  try {
    await once(child.stdout, "data");
    return performance.now() - startedAt;
  } finally {
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
  }
}

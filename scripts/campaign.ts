// Runs far more random schedules and sends far more random input than the tests do, from another seed each time. Then it
// tries all hostile texts, of which the tests try a share, on a processor that is made four times as slow:
// npm run campaign -- [runs] [seed]
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";

/** Bodies, frames and messages of MCP, a third of each. */
const FUZZ_RUNS = 102_000;

const [runs = "3000", seed = String(randomInt(2 ** 31))] = process.argv.slice(2);
process.stdout.write(`${runs} schedules from the seed ${seed}\n`);
const files = [
  "packages/engine/src/tools/schedules.test.ts",
  "packages/client/src/view/session-view-schedules.test.ts",
];
const { status } = spawnSync(
  "vitest",
  ["run", "--project", "unit", "--testTimeout", "1800000", "--hookTimeout", "1800000", ...files],
  { stdio: "inherit", env: { ...process.env, SCHEDULE_RUNS: runs, SCHEDULE_SEED: seed } },
);
const fuzzed = spawnSync(
  "vitest",
  ["run", "--project", "process", "--testTimeout", "1800000", "e2e/fuzz.test.ts"],
  {
    stdio: "inherit",
    env: { ...process.env, FUZZ_RUNS: String(FUZZ_RUNS), FUZZ_SEED: seed },
  },
);
const hostile = spawnSync(
  "vitest",
  ["run", "--project", "browser", "e2e/browser/bombs.test.ts", "e2e/browser/payloads.test.ts"],
  {
    stdio: "inherit",
    env: { ...process.env, BOMB_SHARE: "1", BOMB_THROTTLE: "4", PAYLOADS_AT_ONCE: "1" },
  },
);
process.exit(status || fuzzed.status || hostile.status || 0);

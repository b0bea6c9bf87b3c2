import { availableParallelism } from "node:os";

import { defineConfig } from "vitest/config";

import { LongestFirst } from "./scripts/test/longest-first.ts";
import { takeOwnPlace } from "./scripts/test/own-place.ts";
import { PATIENCE_MS } from "./scripts/test/patience-ms.ts";
import { COMPILED } from "./scripts/test/setup-compiled.ts";

takeOwnPlace();
/** The Postgres of the tests ends with this process. */
const ENV = { ...COMPILED, TEST_POSTGRES_OWNER: String(process.pid) };

const BUDGETS = "e2e/browser/{budgets,smooth}.test.ts";
const SETUP_COMPILED = "./scripts/test/setup-compiled.ts";
const SETUP_SOURCES = "./scripts/test/setup-sources.ts";
const SETUP_BROWSER = "./scripts/test/setup-browser.ts";
const PATIENCE = "./scripts/test/patience.ts";
/** Tests that start processes. */
const SLOW = {
  testTimeout: 240_000,
  hookTimeout: 240_000,
  env: ENV,
  setupFiles: [PATIENCE, "./scripts/test/end-left-gateways.ts"],
};

/** Chromium itself stalls now and then. `npm test` names each test that needed it, and fails where there are more than a few. */
const SECOND_TRY = { retry: 1 };

/** Projects of one `groupOrder` run beside each other: what still runs at the end of one leaves no core idle. */
export default defineConfig({
  test: {
    // Two more than there are cores: a test often waits for a timer or a process.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    // A busy machine may need more than the usual second.
    expect: { poll: { timeout: PATIENCE_MS } },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["packages/*/src/**/*.test.{ts,tsx}", "{bench,guides,scripts}/**/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          env: ENV,
          setupFiles: PATIENCE,
          globalSetup: SETUP_SOURCES,
          // Nearly half of the time would be spent with loading the same modules for each file.
          isolate: false,
          // Config files and tools that tests write are loaded by Node itself, as in the gateway.
          server: { deps: { external: [/\/holdpoint-(?:config|snapshot|tools)-/] } },
          sequence: { groupOrder: 0 },
        },
      },
      {
        // Gateways, agents and stores in processes of their own.
        extends: true,
        test: {
          ...SLOW,
          name: "process",
          include: ["e2e/*.test.ts", "e2e/faults/*.test.ts", "packages/*/e2e/**/*.test.ts"],
          globalSetup: SETUP_COMPILED,
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          ...SLOW,
          ...SECOND_TRY,
          name: "browser",
          include: ["e2e/browser/**/*.test.ts"],
          exclude: [BUDGETS],
          globalSetup: [SETUP_COMPILED, SETUP_BROWSER],
          sequence: { groupOrder: 0 },
          // So that one browser can serve all files of a worker.
          isolate: false,
        },
      },
      {
        // What is measured runs alone.
        extends: true,
        test: {
          ...SLOW,
          ...SECOND_TRY,
          name: "budgets",
          include: [BUDGETS],
          globalSetup: [SETUP_COMPILED, SETUP_BROWSER],
          sequence: { groupOrder: 1 },
          fileParallelism: false,
        },
      },
    ],
  },
});

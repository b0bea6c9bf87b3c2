import { defineConfig } from "tsdown";

import { BUNDLED, STARTED_PROGRAMS } from "../../packages/cli/bundled.ts";

/**
 * The command line for the tests: bundled as it is published, without the parts that only a user of the package
 * needs.
 */
export default defineConfig({
  cwd: "../../packages/cli",
  entry: {
    program: "../../e2e/support/gateway-program.ts",
    index: "src/index.ts",
    ...STARTED_PROGRAMS,
  },
  platform: "node",
  target: "node24",
  tsconfig: "../../tsconfig.published.json",
  outDir: "dist-tests",
  dts: false,
  clean: false,
  logLevel: "error",
  deps: { alwaysBundle: BUNDLED, onlyBundle: false, neverBundle: ["react", "react-dom", "vitest"] },
});

import { defineConfig } from "tsdown";

import { BUNDLED, STARTED_PROGRAMS } from "./bundled.ts";
import { thirdPartyNotices } from "./third-party-notices.ts";

/** The root of the published package; `scripts/build-package.ts` adds the rest. */
const PACKAGE = "../../dist/holdpoint";
const OWN = [/^@holdpoint\//];
const deps = {
  alwaysBundle: OWN,
  neverBundle: ["@opentelemetry/api", "react", "react-dom", "vitest"],
};
const outDir = `${PACKAGE}/dist`;
/** Only published files, since types are generated for each file that the configuration includes. */
const tsconfig = "../../tsconfig.published.json";

export default defineConfig([
  {
    entry: {
      "run-program": "src/run-program.ts",
      index: "src/index.ts",
      ...STARTED_PROGRAMS,
      // Next to the agent hosts' program, which they start.
      agents: "src/subpaths/agents.ts",
      sqlite: "src/subpaths/sqlite.ts",
    },
    platform: "node",
    target: "node24",
    tsconfig,
    outDir,
    dts: { entry: ["src/index.ts", "src/subpaths/agents.ts", "src/subpaths/sqlite.ts"] },
    clean: false,
    // Types of other packages stay external: a tool's parameters are a schema of the tool's own zod.
    deps: { ...deps, alwaysBundle: BUNDLED, onlyBundle: false, dts: deps },
    plugins: [thirdPartyNotices()],
  },
  {
    // Modules for programs and pages. They also run in a browser, and share nothing with the modules that run the
    // gateway.
    entry: {
      client: "src/subpaths/client.ts",
      "client-direct": "src/subpaths/client-direct.ts",
      contracts: "src/subpaths/contracts.ts",
      engine: "src/subpaths/engine.ts",
      opentelemetry: "src/subpaths/opentelemetry.ts",
      protocol: "src/subpaths/protocol.ts",
      react: "src/subpaths/react.ts",
      testing: "src/subpaths/testing.ts",
    },
    platform: "browser",
    target: "es2023",
    tsconfig,
    outDir: `${outDir}/library`,
    dts: true,
    clean: false,
    deps,
    plugins: [thirdPartyNotices()],
  },
]);

import { defineConfig } from "tsdown";

/** The root of what is published; `scripts/build-package.ts` adds the rest. */
const PACKAGE = "../../dist/holdpoint";

export default defineConfig({
  entry: {
    main: "src/main.ts",
    index: "src/index.ts",
    "host-program": "../agents/src/host/host-program.ts",
  },
  platform: "node",
  target: "node24",
  outDir: `${PACKAGE}/dist`,
  dts: { entry: "src/index.ts" },
  clean: true,
  deps: { alwaysBundle: [/^@holdpoint\//] },
});

import { defineConfig } from "tsdown";

export default defineConfig({
  entry: { main: "src/main.ts", "host-program": "../agents/src/host/host-program.ts" },
  platform: "node",
  target: "node24",
  outDir: "dist",
  dts: false,
  clean: true,
  deps: { alwaysBundle: [/^@holdpoint\//] },
});

import { expect, test } from "vitest";

import { guardedPaths } from "./guarded-paths.ts";

test("lists the data folder, files with secrets, and everything that the gateway may load, whether it exists or not", () => {
  const { closed, askBeforeChange } = guardedPaths({
    dataDir: "/data",
    secretFiles: ["/etc/holdpoint/cluster.secret", "/etc/holdpoint/pgpass"],
    userConfigPath: "/home/me/.config/holdpoint/config.json",
    directories: ["/work", "/work/inner"],
    configPath: "/elsewhere/gateway.json",
    files: ["/work/lib/shared.ts"],
  });
  expect(closed).toEqual(["/data", "/etc/holdpoint/cluster.secret", "/etc/holdpoint/pgpass"]);
  expect(askBeforeChange).toEqual([
    "/home/me/.config/holdpoint/config.json",
    "/work/holdpoint.config.ts",
    "/work/holdpoint.config.js",
    "/work/holdpoint.config.mjs",
    "/work/holdpoint.config.json",
    "/work/tools",
    "/work/inner/holdpoint.config.ts",
    "/work/inner/holdpoint.config.js",
    "/work/inner/holdpoint.config.mjs",
    "/work/inner/holdpoint.config.json",
    "/work/inner/tools",
    "/elsewhere/gateway.json",
    "/elsewhere/tools",
    "/work/lib/shared.ts",
  ]);
});

test("names each path once", () => {
  const { askBeforeChange } = guardedPaths({
    dataDir: "/data",
    userConfigPath: "/config.json",
    directories: ["/work", "/work"],
    configPath: "/work/holdpoint.config.ts",
  });
  expect(askBeforeChange).toHaveLength(new Set(askBeforeChange).size);
  expect(askBeforeChange).toHaveLength(6);
});

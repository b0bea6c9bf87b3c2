import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { parseCommandLine } from "../command-line.ts";
import { readClusterSecret } from "../nodes/cluster-secret.ts";
import type { ClusterSettings } from "./cluster-settings.ts";
import type { ConfigFile } from "./config-file.ts";
import { resolveSettings } from "./settings.ts";

const STORE = "postgres://holdpoint@db/holdpoint";

function clusterFrom(
  args: readonly string[],
  env: Record<string, string> = {},
  file: ConfigFile = { store: STORE },
): ClusterSettings | undefined {
  const { flags } = parseCommandLine(args);
  const place = { startDirectory: "/work", defaultDataDir: "/data" };
  return resolveSettings({ flags, env, file, ...place }).cluster;
}

test("a gateway is alone unless it has a cluster secret", () => {
  expect(clusterFrom([])).toBeUndefined();
  expect(clusterFrom(["--cluster-secret-file", "x", "--node-address", "10.0.0.2:4871"])).toEqual({
    secret: { kind: "file", path: "/work/x" },
    host: "10.0.0.2",
    port: 4871,
  });
  expect(clusterFrom([], { HOLDPOINT_CLUSTER_SECRET: "s" })).toEqual({
    secret: { kind: "text", text: "s" },
    host: "127.0.0.1",
    port: 0,
  });
  expect(
    clusterFrom(["--node-address", "[::1]:9"], { HOLDPOINT_CLUSTER_SECRET: "s" }),
  ).toMatchObject({
    host: "::1",
    port: 9,
  });
});

test.each([
  [["--node-address", "10.0.0.2"], /Add --cluster-secret-file/u],
  [["--cluster-secret-file", "x", "--node-address", "0.0.0.0:1"], /cannot connect to 0\.0\.0\.0/u],
  [["--cluster-secret-file", "x", "--node-address", "http://a"], /Invalid --node-address/u],
  [["--cluster-secret-file", "x", "--node-address", "a:70000"], /Invalid --node-address/u],
])("%j is refused", (args, message) => {
  expect(() => clusterFrom(args)).toThrow(message);
});

test("nodes need a database that all of them reach", () => {
  const file = { cluster: { secretFile: "x" } };
  expect(() => clusterFrom([], {}, file)).toThrow("Several nodes need");
});

test("the cluster secret is long and in a file of its owner only, and a derived key is for one purpose", () => {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-secret-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "secret");
  const read = (text: string, mode = 0o600): Buffer => {
    rmSync(path, { force: true });
    writeFileSync(path, text, { mode });
    return readClusterSecret({ secret: { kind: "file", path } }).derive("link");
  };
  const secret = "0123456789abcdef0123456789abcdef";
  const inline = readClusterSecret({ secret: { kind: "text", text: secret } });
  expect(read(`${secret}\n`)).toEqual(inline.derive("link"));
  expect(inline.derive("link")).not.toEqual(inline.derive("keys"));
  expect(() => read(secret.slice(1))).toThrow("too short: at least 32");
  expect(() => read("")).toThrow("is empty");
  expect(() => read(secret, 0o644)).toThrow("can be read or changed by other users");
  expect(() => readClusterSecret({ secret: { kind: "text", text: "short" } })).toThrow("too short");
});

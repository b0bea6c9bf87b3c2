import { homedir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

import { secretFiles } from "./secret-files.ts";

const PGPASSFILE = "/run/secrets/pgpass";
const HOLDPOINT_TOKEN_FILE = "/run/secrets/token";

test("lists the files that a gateway reads secrets from", () => {
  const store = "postgres://ada@db/holdpoint";
  const cluster = {
    secret: { kind: "file", path: "/run/secrets/all" },
    host: "",
    port: 0,
  } as const;
  const tls = { certPath: "/etc/cert.pem", keyPath: "/etc/key.pem" };
  expect(secretFiles({ store, cluster, tls }, { PGPASSFILE, HOLDPOINT_TOKEN_FILE })).toEqual([
    "/run/secrets/all",
    PGPASSFILE,
    HOLDPOINT_TOKEN_FILE,
    "/etc/key.pem",
  ]);
  expect(secretFiles({ store }, {})).toEqual([join(homedir(), ".pgpass")]);
});

test("lists no file that a gateway does not read, and no descriptor", () => {
  expect(secretFiles({}, { PGPASSFILE })).toEqual([]);
  for (const token of ["-", "/dev/fd/3", "/proc/self/fd/3"]) {
    expect(secretFiles({}, { HOLDPOINT_TOKEN_FILE: token })).toEqual([]);
  }
});

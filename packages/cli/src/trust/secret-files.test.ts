import { homedir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

import { secretFiles } from "./secret-files.ts";

test("names the files that a gateway has secrets from: none without a database, those of its passwords with one", () => {
  const store = "postgres://ada@db/holdpoint";
  const cluster = {
    secret: { kind: "file", path: "/run/secrets/all" },
    host: "",
    port: 0,
  } as const;
  const PGPASSFILE = "/run/secrets/pgpass";
  expect(secretFiles({}, { PGPASSFILE })).toEqual([]);
  expect(secretFiles({ store }, {})).toEqual([join(homedir(), ".pgpass")]);
  expect(secretFiles({ store, cluster }, { PGPASSFILE })).toEqual(["/run/secrets/all", PGPASSFILE]);
});

import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";

import { expect, test, vi } from "vitest";

import { connect } from "./connect.ts";
import { withPassword } from "./password-file.ts";
import { createDatabase, createTemporaryDir } from "./testing/test-database.ts";

function writeFile(text: string): { readonly PGPASSFILE: string } {
  const path = join(createTemporaryDir(), "pgpass");
  writeFileSync(path, text, { mode: 0o600 });
  return { PGPASSFILE: path };
}

const ADDRESS = "postgres://ada@db/holdpoint";
const found = (url: string, env: Record<string, string>): string | null =>
  new URL(withPassword(url, env)).searchParams.get("password");

test.each([
  ["db:5432:holdpoint:ada:it", ADDRESS, "it"],
  ["*:*:*:*:it", ADDRESS, "it"],
  ["# db:5432:holdpoint:ada:not\nother:*:*:*:not\ndb:*:*:*:it\n*:*:*:*:not", ADDRESS, "it"],
  ["db:5432:holdpoint:ada:i\\:t\\\\", ADDRESS, "i:t\\"],
  ["db:5433:holdpoint:ada:it", "postgres://ada@db:5433/holdpoint", "it"],
  ["localhost:5432:holdpoint:ada:it", "postgres:///holdpoint?host=/run/postgresql&user=ada", "it"],
  ["db:5433:holdpoint:ada:not", ADDRESS, null],
  ["db:5432:holdpoint:eve:not", ADDRESS, null],
  ["db:5432:other:ada:not", ADDRESS, null],
  ["nonsense\n\n:", ADDRESS, null],
])("of the lines %j, %s gets the password %s", (lines, url, password) => {
  expect(found(url, writeFile(lines))).toBe(password);
});

test("a password from elsewhere, a file that others can read, and a missing one leave the settings unchanged", () => {
  const env = writeFile("*:*:*:*:not");
  for (const url of ["postgres://ada:own@db/holdpoint", `${ADDRESS}?password=own`]) {
    expect(withPassword(url, env)).toBe(url);
  }
  expect(withPassword(ADDRESS, { ...env, PGPASSWORD: "own" })).toBe(ADDRESS);
  chmodSync(env.PGPASSFILE, 0o640);
  expect(withPassword(ADDRESS, env)).toBe(ADDRESS);
  expect(withPassword(ADDRESS, { PGPASSFILE: "/nowhere" })).toBe(ADDRESS);
});

test("a connection uses the password from the file, without warnings", async () => {
  const address = new URL(await createDatabase({ empty: true }));
  vi.stubEnv("PGPASSFILE", writeFile(`127.0.0.1:*:*:*:${address.password}`).PGPASSFILE);
  address.password = "";
  const warned = vi.fn<() => void>();
  process.on("warning", warned);
  try {
    await (await connect(address.href, "it")).end();
    await setImmediate();
  } finally {
    process.off("warning", warned);
    vi.unstubAllEnvs();
  }
  expect(warned).not.toHaveBeenCalled();
});

import { spawnSync } from "node:child_process";

import { expect, test } from "vitest";

test("pg is not loaded without a Postgres address", () => {
  const script = `
    await import("./packages/cli/src/compose/open-store.ts");
    const { createRequire } = await import("node:module");
    const isLoaded = () => Object.keys(createRequire(process.cwd() + "/x.js").cache).some((path) => /node_modules.pg./u.test(path));
    const before = isLoaded();
    await import("@holdpoint/store-postgres");
    console.log(before, isLoaded());`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--conditions=source", "--input-type=module", "--eval", script],
    { encoding: "utf8" },
  );
  expect(stdout + stderr).toBe("false true\n");
});

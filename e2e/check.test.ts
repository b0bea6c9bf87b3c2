import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { expect, test } from "vitest";

import { spawnGateway, startGateway } from "./support/gateway-process.ts";

async function run(args: readonly string[]) {
  const child = spawnGateway(args, { cwd: tmpdir() });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, "exit") as Promise<[number | null]>,
  ]);
  return { stdout, stderr, code };
}

test("[R-2] holdpoint check names the damage; the gateway refuses to start, except with --accept-loss", async () => {
  await using gateway = await startGateway();
  const { dataDir } = gateway;
  const checkArgs = ["check", "--data-dir", dataDir];
  const beside = await run([...checkArgs, "--json"]);
  expect(beside).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(beside.stdout)).toMatchObject({ isInUse: true, problems: [] });
  await gateway.stop("SIGKILL");
  expect(await run(checkArgs)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Nothing is damaged or missing."),
  });

  rmSync(join(dataDir, "holdpoint.db-wal"));
  writeFileSync(join(dataDir, "holdpoint.db"), "");
  const found = await run(checkArgs);
  expect(found.code).toBe(1);
  expect(found.stdout).toMatch(/^! The database .* is missing/mu);
  const refused = await run([
    "--data-dir",
    dataDir,
    "--port",
    "0",
    "--no-open",
    "--cwd",
    import.meta.dirname,
  ]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("--accept-loss");
  expect(readFileSync(join(dataDir, "holdpoint.db"), "utf8")).toBe("");
  await using again = await startGateway({ dataDir, args: ["--accept-loss"] });
  expect(again.url).toContain("http");
});

test("holdpoint check creates nothing when there is no data folder", async () => {
  const { code, stderr } = await run(["check", "--data-dir", "/nonexistent/folder"]);
  expect(code).toBe(2);
  expect(stderr).toContain("There is no data folder");
});

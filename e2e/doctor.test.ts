import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { spawnGateway, startGateway } from "./support/gateway-process.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdpoint-doctor-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function doctor(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawnGateway(["doctor", ...args], { cwd: folder, env });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, "exit") as Promise<[number | null]>,
  ]);
  return { stdout, stderr, code };
}

describe("holdpoint doctor", () => {
  test("names what an agent gets and never what it holds, and loads no code", async () => {
    await writeFile(
      join(folder, "holdpoint.config.mjs"),
      "console.log('loaded'); export default {};",
    );
    await mkdir(join(folder, "tools"));
    const { stdout, stderr, code } = await doctor(["--data-dir", join(folder, "none")], {
      ANTHROPIC_API_KEY: "planted-key",
      AWS_SECRET_ACCESS_KEY: "planted-aws",
      HOLDPOINT_TOKEN: "planted-token-0123456789abcdef012345",
    });
    expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
    expect(stdout).toMatch(/^ {2}ANTHROPIC_API_KEY$/mu);
    expect(stdout).toMatch(/^ {2}PATH$/mu);
    expect(stdout).not.toMatch(/planted|AWS_|HOLDPOINT_|^loaded/mu);
    expect(stdout).toContain(`once you have trusted it: ${join(folder, "holdpoint.config.mjs")}`);
    expect(stdout).toContain(`once you have trusted it: ${join(folder, "tools")}`);
    expect(stdout).toMatch(/^Isolation: none: /mu);
    expect((await readdir(folder)).toSorted()).toEqual(["holdpoint.config.mjs", "tools"]);
  });

  test("finds files that other users can read, and a working directory that holds the data folder", async () => {
    await using gateway = await startGateway();
    const { dataDir } = gateway;
    const healthy = await doctor(["--json", "--data-dir", dataDir, "--cwd", folder]);
    expect(JSON.parse(healthy.stdout)).toMatchObject({
      problems: [],
      dataDir: { path: dataDir, modes: { ".": "0700", "gateway.secret": "0600" } },
    });
    await chmod(join(dataDir, "gateway.secret"), 0o644);
    const { stdout, code } = await doctor(["--data-dir", dataDir, "--cwd", tmpdir()]);
    expect(code).toBe(1);
    expect(stdout).toContain(`! ${join(dataDir, "gateway.secret")} is open to other users`);
    expect(stdout).toMatch(/^! .*lies inside/mu);
  });

  test("tries the isolation, and says when it does not hold", async () => {
    await using gateway = await startGateway();
    const args = ["--data-dir", gateway.dataDir, "--cwd", folder, "--isolate"];
    const held = await doctor([...args, "namespace"]);
    expect(held).toMatchObject({ code: 0, stdout: expect.stringContaining("tried, and it holds") });
    const refused = await doctor([...args, "jail"]);
    expect(refused).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^! --isolate jail/mu),
    });
  });
});

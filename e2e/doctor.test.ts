import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { commandOf, spawnGateway, startGateway } from "./support/gateway-process.ts";

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

/** Runs the doctor after a shell command, in a separate mount namespace. */
async function doctorBehind(command: string, args: readonly string[]) {
  await mkdir(join(folder, "disk"), { recursive: true });
  const script = `{ ${command}; } 2>/dev/null; exec "$@"`;
  const [program = "", ...rest] = commandOf(["doctor", ...args]);
  const child = spawn(
    "unshare",
    ["--user", "--map-root-user", "--mount", "sh", "-c", script, "sh", program, ...rest],
    {
      cwd: folder,
      env: { ...process.env, XDG_CONFIG_HOME: join(folder, "no-config") },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit") as Promise<[number | null]>,
  ]);
  return { stdout, stderr, code };
}

interface Finding {
  readonly check: string;
  readonly status: string;
  readonly text: string;
}

function findingsOf(stdout: string, check: string): Finding[] {
  const { checks } = JSON.parse(stdout) as { checks: Finding[] };
  return checks.filter((finding) => finding.check === check);
}

function problemsOf(stdout: string): string[] {
  const { checks } = JSON.parse(stdout) as { checks: (Finding & { remedy?: string })[] };
  return checks
    .filter(({ status }) => status === "problem")
    .map(({ check, text: said, remedy }) => `${check}: ${said} ${remedy}`);
}

describe("holdpoint doctor", () => {
  test("lists the names of an agent's variables and never their values, and loads no code", async () => {
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
    expect(stdout).toMatch(/^ {2}Environment {3}agents get .*ANTHROPIC_API_KEY, .*PATH/mu);
    expect(stdout).not.toMatch(/planted|AWS_|HOLDPOINT_|^loaded/mu);
    expect(stdout).toContain(`once you have trusted it: ${join(folder, "holdpoint.config.mjs")}`);
    expect(stdout).toContain(`once you have trusted it: ${join(folder, "tools")}`);
    expect(stdout).toMatch(/^ {2}Isolation {5}none: /mu);
    expect((await readdir(folder)).toSorted()).toEqual(["holdpoint.config.mjs", "tools"]);
  });

  test("finds files that other users can read, and a working directory that contains the data folder", async () => {
    await using gateway = await startGateway();
    const { dataDir } = gateway;
    const healthy = await doctor(["--json", "--data-dir", dataDir, "--cwd", folder]);
    expect(JSON.parse(healthy.stdout)).toMatchObject({ version: 1, healthy: true });
    expect(findingsOf(healthy.stdout, "Data folder")).toMatchObject([
      {
        status: "ok",
        facts: { path: dataDir, modes: { ".": "0700", "gateway.secret": "0600" } },
      },
    ]);
    await chmod(join(dataDir, "gateway.secret"), 0o644);
    const { stdout, code } = await doctor(["--data-dir", dataDir, "--cwd", tmpdir()]);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      new RegExp(`^! Data folder {3}${dataDir}/gateway.secret is open to other users`, "mu"),
    );
    expect(stdout).toMatch(/^! Data folder .*lies inside/mu);
  });

  test("tries the isolation, and reports when it does not hold", async () => {
    await using gateway = await startGateway();
    const args = ["--data-dir", gateway.dataDir, "--cwd", folder, "--isolate"];
    const held = await doctor([...args, "namespace"]);
    expect(held).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("tested, and it works"),
    });
    const refused = await doctor([...args, "jail"]);
    expect(refused).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^! Isolation {5}--isolate jail/mu),
    });
  });

  test("asks a running gateway for its agents and tools, and finds the socket of a killed one", async () => {
    const config = join(folder, "holdpoint.config.mjs");
    await writeFile(config, "export default {};");
    await mkdir(join(folder, "tools"));
    await writeFile(join(folder, "tools/broken.mjs"), "throw new Error('no such disk');");
    const dataDir = join(folder, "data");
    await using gateway = await startGateway({ dataDir, args: ["--config", config] });
    const args = ["--data-dir", dataDir, "--cwd", join(folder, "tools")];
    const beside = await doctor(args);
    expect(beside).toMatchObject({ code: 1, stderr: "" });
    expect(beside.stdout.match(/^!.*$/gmu)).toEqual([
      expect.stringMatching(/^! Tools {9}tools\/broken\.mjs: "no such disk" Fix the file/u),
    ]);
    expect(beside.stdout).toMatch(
      new RegExp(`^ {2}Gateway {7}process ${gateway.pid} runs at ${gateway.url} for `, "mu"),
    );
    expect(beside.stdout).toMatch(/^ {2}Agents {8}the gateway can start .*Demo/mu);
    await gateway.stop("SIGKILL");
    const killed = await doctor(args);
    expect(killed.code).toBe(1);
    expect(killed.stdout.match(/^!.*$/gmu)).toEqual([
      expect.stringMatching(/^! Gateway .*was left by a gateway that was killed/u),
    ]);
    await using next = await startGateway({ dataDir });
    expect(await doctor(args)).toMatchObject({ code: 0 });
    expect(await next.stop("SIGTERM")).toBe(0);
    expect(await doctor(args)).toMatchObject({ code: 0 });
  });

  test("works with a read-only folder and on a full disk, and reports both", async () => {
    const dataDir = join(folder, "data");
    await using gateway = await startGateway({ dataDir });
    await gateway.stop("SIGTERM");
    const args = ["--json", "--data-dir", dataDir, "--cwd", "/usr"];
    const readOnly = await doctorBehind(
      `mount --bind ${dataDir} ${dataDir} && mount -o remount,bind,ro ${dataDir}`,
      args,
    );
    expect(problemsOf(readOnly.stdout)).toEqual([
      expect.stringMatching(/^Data folder: .*cannot be written to \(EROFS\)/u),
    ]);
    expect(findingsOf(readOnly.stdout, "Database")).toMatchObject([
      { text: expect.stringContaining("nothing damaged or missing") as string },
    ]);
    const full = await doctorBehind(
      `mount -t tmpfs -o size=2m,mode=700 none ${folder}/disk && cp -a ${dataDir}/. ${folder}/disk && cat /dev/zero >${folder}/disk/holdpoint.db.filler`,
      ["--json", "--data-dir", join(folder, "disk"), "--cwd", "/usr"],
    );
    expect(problemsOf(full.stdout)).toContainEqual(
      expect.stringMatching(/^Disk: 0 MB left: writes may fail\. Free some space/u),
    );
    expect([readOnly.code, full.code]).toEqual([1, 1]);
  });
});

import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { childrenOf, isRunning } from "./testing/processes.ts";

const program = (name: string): string => new URL(`./testing/${name}.ts`, import.meta.url).pathname;

interface Scene {
  readonly gateway: ChildProcessWithoutNullStreams;
  readonly pids: { readonly agent: number; readonly host: number; readonly child: number };
}

let folder = "";
let diary = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loss-"));
  diary = join(folder, "diary");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function openScene(manner: string): Promise<Scene> {
  const gateway = spawn(
    process.execPath,
    [program("hosted-gateway"), process.execPath, program("witness-agent"), diary, manner],
    { stdio: "pipe" },
  );
  const [line] = (await once(gateway.stdout, "data")) as [Buffer];
  const pids = JSON.parse(line.toString()) as Scene["pids"];
  gateway.stdin.write("hello\n");
  await vi.waitFor(() => expect(readFileSync(diary, "utf8")).toContain("input hello"), 5000);
  return { gateway, pids };
}

async function expectNobodyLeft({ pids }: Scene): Promise<void> {
  // Within 2 s of the loss; the test's own clock runs from a little later.
  await vi.waitFor(() => expect(Object.values(pids).filter((pid) => isRunning(pid))).toEqual([]), {
    timeout: 2000,
    interval: 20,
  });
}

describe("an agent that loses its gateway", () => {
  test.each([1, 2, 3])(
    "is gone within 2 s of a kill -9 and never saw its input end (%i)",
    async () => {
      const scene = await openScene("polite");
      scene.gateway.kill("SIGKILL");
      await expectNobodyLeft(scene);
      expect(readFileSync(diary, "utf8").trim().split("\n")).toEqual(["input hello", "SIGTERM"]);
    },
  );

  test.each([1, 2])("is gone within 2 s even if it ignores SIGTERM (%i)", async () => {
    const scene = await openScene("stubborn");
    scene.gateway.kill("SIGKILL");
    await expectNobodyLeft(scene);
    expect(readFileSync(diary, "utf8").trim().split("\n")).toEqual(["input hello", "SIGTERM"]);
  });

  test("is gone when the gateway exits normally", async () => {
    const scene = await openScene("stubborn");
    scene.gateway.stdin.write("exit\n");
    await once(scene.gateway, "exit");
    await expectNobodyLeft(scene);
    expect(readFileSync(diary, "utf8")).not.toMatch(/input (ended|closed)/);
  });

  test("is gone when its host is asked to end", async () => {
    const scene = await openScene("polite");
    process.kill(scene.pids.host, "SIGTERM");
    await expectNobodyLeft(scene);
    expect(readFileSync(diary, "utf8")).not.toMatch(/input (ended|closed)/);
    scene.gateway.kill("SIGKILL");
  });
});

test("an agent whose host is killed with both watchdogs and the gateway is killed by Linux", async () => {
  const { gateway, pids } = await openScene("stubborn");
  const watchdogs = childrenOf(pids.host).filter((pid) => pid !== pids.agent);
  expect(watchdogs).toHaveLength(2);
  for (const pid of [gateway.pid ?? 0, ...watchdogs, pids.host]) process.kill(pid, "SIGKILL");
  await vi.waitFor(() => expect(isRunning(pids.agent)).toBe(process.platform !== "linux"), {
    timeout: 2000,
    interval: 20,
  });
  for (const pid of [pids.agent, pids.child].filter(isRunning)) process.kill(pid, "SIGKILL");
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { createSystemClock } from "@holdpoint/engine";
import { expect, onTestFinished, test } from "vitest";

import { openCrashMarks } from "./crash-marks.ts";
import { type JudgePoolOptions, openJudgePool } from "./judge-pool.ts";

const clock = createSystemClock();
const program = new URL("./testing/odd-judges.ts", import.meta.url);

function openPool(options: Partial<JudgePoolOptions> = {}) {
  return openJudgePool({ program, setup: { verdict: "deny" }, clock, ...options });
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "judge-pool-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const use = { toolName: "Bash", input: {}, cwd: "/work" };

test("a judge in a worker thread gives the same verdicts", async () => {
  await using pool = openPool();
  const judge = pool.judge("fine");
  expect(await judge(use)).toEqual({ action: "deny", reason: "Bash" });
  expect(await judge({ ...use, toolName: "free" })).toBeUndefined();
  const names = Array.from({ length: 20 }, (_, at) => `tool ${at}`);
  const verdicts = await Promise.all(names.map((toolName) => judge({ ...use, toolName })));
  expect(verdicts.map((verdict) => verdict?.reason)).toEqual(names);
});

test("[R-5] a person is asked after a check that hangs, dies, fails or takes too much memory, and the next check works", async () => {
  await using pool = openPool({ limitMs: 1000 });
  const odd = ["hangs", "waits", "greedy", "dies", "throws", "failsLater", "no such judge"];
  for (const name of odd) {
    expect([name, (await pool.judge(name)(use))?.action]).toEqual([name, "ask"]);
    expect((await pool.judge("fine")(use))?.action).toBe("deny");
  }
  const circle: unknown[] = [];
  const deep = Array.from({ length: 100_000 }).reduce<unknown>((inner) => [inner], circle);
  expect((await pool.judge("fine")({ ...use, input: { deep } }))?.action).toBe("ask");
  expect((await pool.judge("fine")({ ...use, input: { run: () => 1 } }))?.action).toBe("ask");
});

test("[R-18] a hanging check does not block this thread, and ends when it is aborted", async () => {
  await using pool = openPool({ limitMs: 600_000, size: 2 });
  const stop = new AbortController();
  const hanging = Array.from({ length: 5 }, () => pool.judge("hangs")(use, stop.signal));
  let longest = 0;
  for (let round = 0; round < 20; round += 1) {
    const before = clock.monotonic();
    await clock.sleep(5, { signal: AbortSignal.timeout(60_000) });
    longest = Math.max(longest, clock.monotonic() - before);
  }
  expect(longest).toBeLessThan(2000);
  stop.abort();
  const verdicts = await Promise.all(hanging);
  expect(verdicts.map((verdict) => verdict?.action)).toEqual(Array(5).fill("ask"));
  expect((await pool.judge("fine")(use))?.action).toBe("deny");
});

test("[R-18] a disposed pool ends its checks", async () => {
  const pool = openPool({ limitMs: 600_000 });
  const hanging = [pool.judge("hangs")(use), pool.judge("waits")(use)];
  await pool[Symbol.asyncDispose]();
  for (const verdict of await Promise.all(hanging)) expect(verdict?.action).toBe("ask");
});

test("[R-5] a call whose gateway was killed during its check is asked about by later ones, unchecked", async () => {
  const folder = join(temporaryFolder(), "checks");
  const killed = fileURLToPath(new URL("./testing/killed-gateway.ts", import.meta.url));
  const gateway = spawn(process.execPath, [killed, folder, "call_1"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = once(gateway, "exit");
  await once(gateway.stdout, "data");
  gateway.kill("SIGKILL");
  await exited;

  for (let round = 0; round < 2; round += 1) {
    await using pool = openPool({ marks: openCrashMarks(folder, clock) });
    const judge = pool.judge("fine");
    const again = { ...use, callId: "call_1" };
    for (let time = 0; time < 2; time += 1) {
      expect(await judge(again)).toMatchObject({
        action: "ask",
        reason: expect.stringContaining("ended"),
      });
    }
    expect((await judge({ ...use, callId: "call_2" }))?.action).toBe("deny");
    expect((await judge({ ...again, cwd: "/elsewhere" }))?.action).toBe("deny");
    expect((await judge(use))?.action).toBe("deny");
    expect(readdirSync(folder)).toHaveLength(1);
  }
});

test("marks are removed after a check, even a failed one, and after a week", async () => {
  const folder = temporaryFolder();
  await using pool = openPool({ marks: openCrashMarks(folder, clock), limitMs: 500 });
  const call = { ...use, callId: "call_1" };
  await Promise.all([pool.judge("fine")(call), pool.judge("waits")(call)]);
  expect(readdirSync(folder)).toEqual([]);
  openCrashMarks(folder, clock).mark(call);
  const later = { ...clock, now: () => clock.now() + 8 * 24 * 3600 * 1000 };
  expect(openCrashMarks(folder, clock).isMarked(call)).toBe(true);
  expect(openCrashMarks(folder, later).isMarked(call)).toBe(false);
  expect(readdirSync(folder)).toEqual([]);
});

test("a folder that cannot be written does not prevent checks", async () => {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  await using pool = openPool({ marks: openCrashMarks(join(file, "checks"), clock) });
  expect((await pool.judge("fine")({ ...use, callId: "call_1" }))?.action).toBe("deny");
});

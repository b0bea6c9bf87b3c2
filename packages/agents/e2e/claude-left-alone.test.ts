import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { rows } from "../../../e2e/support/breadth.ts";
import { childrenOf, isRunning } from "../src/host/testing/processes.ts";
import {
  callTool,
  inOrder,
  openScriptedModel,
  say,
  type ScriptedModel,
} from "../src/testing/index.ts";

const PROGRAM = new URL("./support/gateway-like.ts", import.meta.url).pathname;

interface Scene {
  readonly gateway: ChildProcess;
  readonly agent: number;
  readonly host: number;
}
/** The watchdog is one of two. */
type Victim = "gateway" | "host" | "agent" | "watchdog";

/** The processes that are killed, in this order, at once. */
const DEATHS = rows<{ readonly victims: readonly Victim[] }>(
  [
    { victims: ["host"] },
    { victims: ["gateway", "host", "agent"] },
    { victims: ["host", "watchdog", "gateway"] },
  ],
  [
    { victims: ["gateway", "host"] },
    { victims: ["gateway", "agent"] },
    { victims: ["host", "gateway"] },
    { victims: ["agent"] },
    { victims: ["host", "agent"] },
    { victims: ["gateway", "watchdog", "host"] },
  ],
);

let folder: string;
let gateway: ChildProcess | undefined;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "claude-alone-")));
});
afterEach(async () => {
  gateway?.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function openScene(model: ScriptedModel, manner: string): Promise<Scene> {
  const env = { ...process.env, ...model.env(join(folder, ".config")), HOME: folder };
  const started = spawn(process.execPath, [PROGRAM, folder, manner], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  gateway = started;
  const [line] = (await once(started.stdout, "data")) as [Buffer];
  return { gateway: started, ...(JSON.parse(line.toString()) as { agent: number; host: number }) };
}

function kill({ gateway: { pid = 0 }, host, agent }: Scene, victims: readonly Victim[]): void {
  const watchdog = childrenOf(host).find((child) => child !== agent) ?? 0;
  const pids = { gateway: pid, host, agent, watchdog };
  for (const victim of victims) process.kill(pids[victim], "SIGKILL");
}

async function expectGone(pids: readonly number[]): Promise<void> {
  await vi.waitFor(() => expect(pids.filter((pid) => isRunning(pid))).toEqual([]), {
    timeout: 2000,
    interval: 20,
  });
}

/** Every way for a tool to leave a process behind: in a separate session, without a terminal, adopted by init. */
const LONG_COMMAND = [
  "note='echo $$ >> pids.txt; exec sleep 1000'",
  'setsid sh -c "$note" & nohup sh -c "$note" > /dev/null 2>&1 & (sh -c "$note" &)',
  'env -i sh -c "$note" & sh -c "$note"',
].join("\n");

function readPids(): number[] {
  const path = join(folder, "pids.txt");
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n").map(Number) : [];
}

describe("[R-5] Claude that waits for an approval", () => {
  test.each(DEATHS)(
    "does nothing alone and is gone when these are killed: $victims",
    async ({ victims }) => {
      const write = callTool("Write", { file_path: join(folder, "alone.txt"), content: "x" });
      const bash = callTool("Bash", {
        command: "node -e 'process.exit()'; node -e 'run()' > ran.txt",
        description: "Try it",
      });
      await using model = await openScriptedModel(
        inOrder([[bash], [write], [write], [say("Done.")]]),
      );
      const scene = await openScene(model, "wait");
      const before = model.requests.length;
      kill(scene, victims);
      await expectGone([scene.agent, scene.host]);
      await sleep(300);
      expect(model.requests).toHaveLength(before);
      expect((await readdir(folder)).filter((name) => name.endsWith(".txt"))).toEqual([]);
    },
  );
});

describe("[R-5] Claude with a running tool", () => {
  test.each(DEATHS)(
    "leaves no process behind when these are killed: $victims",
    async ({ victims }) => {
      const bash = callTool("Bash", { command: LONG_COMMAND, description: "Wait long" });
      await using model = await openScriptedModel(inOrder([[bash], [say("Done.")]]));
      const scene = await openScene(model, "approve");
      await vi.waitFor(() => expect(readPids()).toHaveLength(5), 60_000);
      kill(scene, victims);
      await expectGone([scene.agent, scene.host, ...readPids()]);
      expect(model.requests).toHaveLength(1);
    },
  );
});

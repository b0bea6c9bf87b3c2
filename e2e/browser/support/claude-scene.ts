import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { callTool, openScriptedModel, say, type ScriptedModel } from "@holdpoint/agents/testing";

import type { GatewayProcess } from "../../support/gateway-process.ts";
import { test as base } from "./behind-line.ts";
import type { DevicePlace } from "./test.ts";

/** The gateway of a scene, with the addresses that the test and its pages use. */
export interface SceneGateway extends GatewayProcess {
  readonly viaLine: DevicePlace;
}

/** The real Claude with a scripted model, behind gateways that are killed and started again. */
export interface ClaudeScene {
  readonly model: ScriptedModel;
  /** Claude's working directory. */
  readonly folder: string;
  /** Starts the next gateway with the data of the one before, at the same address for pages. */
  start(args?: readonly string[]): Promise<SceneGateway>;
  /** Deletes Claude's own record of its conversations. */
  loseTranscripts(): Promise<void>;
  /** The results of the tool call that the model got last. */
  resultsOf(toolCallId: string): readonly string[];
}

export const test = base.extend(
  "claude",
  async ({ owned, startBehindLine, dataDir }): Promise<ClaudeScene> => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-scene-")));
    owned.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    const model = owned.use(await openScriptedModel(() => [say("Nothing to do.")]));
    // A separate home folder: files in the machine's own one could slow the shell down.
    const env = { ...model.env(join(folder, ".claude-data")), HOME: folder };
    return {
      model,
      folder,
      start: (args = []) => startBehindLine({ dataDir, cwd: folder, env, args }),
      loseTranscripts: () => rm(join(folder, ".claude-data", "projects"), { recursive: true }),
      resultsOf: (toolCallId) =>
        (model.requests.at(-1)?.allResults ?? [])
          .filter((result) => result.toolCallId === toolCallId)
          .map(({ text }) => text),
    };
  },
);

/** The question that the scenes ask. */
export const LIBRARY = callTool("AskUserQuestion", {
  questions: [
    {
      header: "Library",
      question: "Which library?",
      multiSelect: false,
      options: [
        { label: "luxon", description: "Dates" },
        { label: "dayjs", description: "Small" },
      ],
    },
  ],
});

/** The processes of a gateway: its hosts, and the agents in them. */
export interface SceneProcesses {
  readonly hosts: readonly number[];
  readonly agents: readonly number[];
}

/** Call it while they live: the hosts write down their processes. */
export function findProcesses({ dataDir }: GatewayProcess): SceneProcesses {
  const folder = join(dataDir, "hosts");
  const records = readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as HostRecord);
  return {
    hosts: records.map(({ host }) => host.pid),
    agents: records.map(({ agent }) => agent.pid),
  };
}

type HostRecord = Readonly<Record<"host" | "agent", { readonly pid: number }>>;

/** A process that has ended but has not been reaped yet is not alive. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s*Z/mu.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false; // that is the answer
  }
}

/** All at once, as `killall -9` does. */
export function killAll(pids: readonly number[]): void {
  for (const pid of pids) process.kill(pid, "SIGKILL");
}

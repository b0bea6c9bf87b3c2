import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { timeHere } from "../../../e2e/support/time-here.ts";
import { isRunning } from "../src/host/testing/processes.ts";
import {
  callTool,
  inOrder,
  openScriptedModel,
  say,
  type ModelBlock,
} from "../src/testing/index.ts";

const program = new URL("./support/gateway-like.ts", import.meta.url).pathname;
let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "claude-loss-")));
});
afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

const question = {
  questions: [
    {
      header: "Go",
      question: "Go on?",
      multiSelect: false,
      options: [
        { label: "Yes", description: "" },
        { label: "No", description: "" },
      ],
    },
  ],
};

describe("Claude whose gateway is killed", () => {
  test.each<[string, ModelBlock]>([
    ["an approval", callTool("Bash", { command: "node -e 0 > ran.txt", description: "Try it" })],
    ["a question", callTool("AskUserQuestion", question)],
  ])("[R-5] while %s waits ends within 2 s and no longer calls the model", async (_, call) => {
    await using model = await openScriptedModel(inOrder([[call], [say("I went on by myself.")]]));
    const env = { ...process.env, ...model.env(join(folder, ".config")), HOME: folder };
    const gateway = spawn(process.execPath, [program, folder], {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = (await once(gateway.stdout, "data")) as [Buffer];
    const { agent } = JSON.parse(line.toString()) as { agent: number };
    expect(isRunning(agent)).toBe(true);
    gateway.kill("SIGKILL");
    await vi.waitFor(() => expect(isRunning(agent)).toBe(false), {
      timeout: timeHere(2000),
      interval: 20,
    });
    expect(model.requests).toHaveLength(1);
    expect(existsSync(join(folder, "ran.txt"))).toBe(false);
  });
});

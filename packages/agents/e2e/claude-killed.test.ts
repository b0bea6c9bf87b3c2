import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import type { AgentSession, TurnResult } from "@holdpoint/engine";
import {
  createRecordingTurn,
  type HoldScript,
  type RecordingTurn,
} from "@holdpoint/engine/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";

import { rows } from "../../../e2e/support/breadth.ts";
import { spawnHosted } from "../src/host/spawn-hosted.ts";
import { callTool, inOrder, say, type ModelBlock } from "../src/testing/index.ts";
import { approve, openClaudeScene, type ClaudeScene } from "./support/claude-scene.ts";

let scene: ClaudeScene;
let session: AgentSession;
let agent: ReturnType<typeof spawnHosted>;
beforeAll(async () => {
  scene = await openClaudeScene({
    hostProcess(options) {
      agent = spawnHosted(options);
      return agent;
    },
  });
});
beforeEach(async () => {
  session = await scene.openSession();
});
afterEach(() => session[Symbol.asyncDispose]());
afterAll(() => scene[Symbol.asyncDispose]());

const bash = (command: string) => callTool("Bash", { command, description: "Try it" });
const question = callTool("AskUserQuestion", {
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
});
const kill = (): void => {
  process.kill(-(agent.pid ?? 0), "SIGKILL");
};

function begin(
  call: ModelBlock,
  script?: HoldScript,
): { turn: RecordingTurn; ended: Promise<TurnResult> } {
  scene.model.play(inOrder([[call], [say("Done.")]]));
  const turn = createRecordingTurn(script === undefined ? {} : { script });
  const ended = session.runTurn({ messageId: "msg_1", content: "go" }, turn);
  return { turn, ended };
}

const lost = expect.objectContaining({ reason: "error", code: "AGENT_CRASHED", isAgentLost: true });

describe("Claude that is killed", () => {
  test.each<[string, ModelBlock]>([
    ["an approval", bash("echo ran >> ran.txt")],
    ["a question", question],
  ])("while it waits for %s is lost, and withdraws nothing", async (_, call) => {
    const { turn, ended } = begin(call);
    await vi.waitFor(() => expect(turn.requests).toHaveLength(1), 60_000);
    kill();
    expect(await ended).toEqual(lost);
    await sleep(200);
    expect(turn.entries.filter(({ kind }) => kind === "held")).toEqual([]);
  });

  test("[R-5] cancels its pending request when it is stopped", async () => {
    const { turn, ended } = begin(bash("echo ran >> ran.txt"));
    await vi.waitFor(() => expect(turn.requests).toHaveLength(1), 60_000);
    turn.stop();
    expect(await ended).toEqual({ reason: "stopped" });
  });

  test.each(rows([0, 20, 300], [5, 80]))(
    "[R-4] %i ms after an approval reports no delivery: its record shows later whether there was one",
    async (delayMs) => {
      const { turn, ended } = begin(bash("sleep 5; echo ran >> late.txt"), () => {
        setTimeout(kill, delayMs);
        return approve();
      });
      expect(await ended).toEqual(lost);
      expect(turn.entries.filter(({ kind }) => kind === "delivered")).toEqual([]);
    },
  );
});

describe("[R-4] an answer is delivered by a message of the agent's", () => {
  test.each<[string, HoldScript]>([
    ["an approval", () => approve()],
    ["a denial", () => ({ outcome: "answered", response: { action: "deny" } })],
  ])("%s: by the call's result", async (_, script) => {
    const { turn, ended } = begin(bash("sleep 0.5; echo ran >> ran.txt"), script);
    expect(await ended).toEqual({ reason: "done" });
    const kinds = turn.entries.flatMap((entry) =>
      entry.kind === "event" ? [entry.event.type] : entry.kind === "delta" ? [] : [entry.kind],
    );
    expect(kinds.slice(kinds.indexOf("held"))).toEqual([
      "held",
      "delivered",
      "tool_result",
      "assistant_message",
      // The usage of the turn, and that it is counted.
      "usage",
      "state",
    ]);
  });

  test("the approval of a sub-agent: by what the sub-agent says", async () => {
    scene.model.play(({ firstPrompt, allResults }) => {
      const isSubAgent = firstPrompt.includes("ERRAND");
      if (allResults.length > 0) return [say(isSubAgent ? "Errand done." : "All done.")];
      if (isSubAgent) return [say("On it."), bash("touch errand.txt")];
      const input = { description: "Errand", prompt: "ERRAND", subagent_type: "general-purpose" };
      return [callTool("Agent", input, "toolu_outer")];
    });
    const turn = createRecordingTurn({ script: () => approve() });
    await session.runTurn({ messageId: "msg_1", content: "go" }, turn);
    const delivered = turn.entries.filter(({ kind }) => kind === "delivered");
    expect(delivered).toHaveLength(turn.requests.length);
    expect(delivered.every((entry) => !("knowledge" in entry))).toBe(true);
  });

  test("a denial that stops the turn: by the end of the turn", async () => {
    const { turn, ended } = begin(bash("echo ran >> ran.txt"), () => ({
      outcome: "answered",
      response: { action: "deny", stopTurn: true },
    }));
    expect(await ended).toEqual({ reason: "stopped" });
    expect(turn.entries).toContainEqual({ kind: "delivered", interactionId: "int_1" });
  });
});

test("an approved call has run as often as its answer was delivered", async () => {
  const ran = await readFile(join(scene.folder, "ran.txt"), "utf8");
  expect(ran).toBe("ran\n");
});

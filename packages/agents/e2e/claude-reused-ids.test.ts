import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { HoldScript } from "@holdpoint/engine/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { callTool, inOrder, say } from "../src/testing/index.ts";
import {
  approve,
  deny,
  openClaudeScene,
  runTurn,
  type ClaudeScene,
} from "./support/claude-scene.ts";

let scene: ClaudeScene;
beforeEach(async () => {
  scene = await openClaudeScene();
});
afterEach(() => scene[Symbol.asyncDispose]());

const command = "echo ran >> ran.txt";
const bash = () => callTool("Bash", { command, description: "Try it" }, "call_0");
const agent = (id: string, prompt: string) =>
  callTool("Agent", { description: prompt, prompt, subagent_type: "general-purpose" }, id);
const runs = (): number => {
  const path = join(scene.folder, "ran.txt");
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n").length : 0;
};
/** Allows the first request and denies all others. */
const yesOnce = (): HoldScript => {
  let count = 0;
  return () => ((count += 1) === 1 ? approve() : deny());
};

test("[R-5] one yes runs one call, even when the model gives every call the same id", async () => {
  // One after the other, then two in one message.
  scene.model.play(inOrder([[bash()], [bash()], [bash(), bash()], [say("Done.")]]));
  const { turn } = await runTurn(await scene.openSession(), "go", yesOnce());
  expect(runs()).toBe(1);
  expect(turn.requests.map(({ toolCallId }) => toolCallId)).toEqual([
    "call_0",
    "call_0~2",
    "call_0~3",
    "call_0~4",
  ]);
  const told = turn.events.flatMap((event) =>
    event.type === "tool_call" || event.type === "tool_result" ? [event.toolCallId] : [],
  );
  expect(Map.groupBy(told, (id) => id)).toHaveProperty("size", 4);
});

test("[R-5] one yes runs the call of one sub-agent, whose parent has the same id", async () => {
  scene.model.play((request) => {
    if (request.allResults.length > 0) return [say("Done.")];
    if (request.firstPrompt.includes("SUB")) return [bash()];
    return [agent("call_0", "SUB one"), agent("call_1", "SUB two")];
  });
  const { turn } = await runTurn(await scene.openSession(), "go", yesOnce());
  expect(runs()).toBe(1);
  const asked = turn.requests.map(({ toolCallId, agentTask }) => [toolCallId, agentTask]);
  expect(
    asked.map(([, task]) => task).toSorted((a, b) => String(a).localeCompare(String(b))),
  ).toEqual(["SUB one", "SUB two"]);
  const calls = turn.events.flatMap((event) =>
    event.type === "tool_call" && event.toolName === "Bash" ? [event] : [],
  );
  // Each call belongs to its own sub-agent.
  for (const { toolCallId, parentToolCallId } of calls) {
    const task = asked.find(([id]) => id === toolCallId)?.[1];
    expect(parentToolCallId).toBe(task === "SUB one" ? "call_0" : "call_1");
  }
  expect(calls).toHaveLength(2);
});

test("[R-5] each question gets its own answer", async () => {
  const question = callTool(
    "AskUserQuestion",
    {
      questions: [
        {
          header: "Go",
          question: "Shall I?",
          multiSelect: false,
          options: [
            { label: "Yes", description: "" },
            { label: "No", description: "" },
          ],
        },
      ],
    },
    "ask",
  );
  let count = 0;
  const script: HoldScript = () => ({
    outcome: "answered",
    response: {
      action: "submit",
      answers: [{ questionId: "q1", selected: [`q1o${(count += 1)}`] }],
    },
  });
  scene.model.play(inOrder([[question], [question], [say("Done.")]]));
  const { turn } = await runTurn(await scene.openSession(), "go", script);
  const heard = turn.events.flatMap((event) =>
    event.type === "tool_result" ? [event.content] : [],
  );
  expect(heard).toEqual([expect.stringContaining('"Yes"'), expect.stringContaining('"No"')]);
});

import type { AgentSession } from "@holdpoint/engine";
import type { Answer } from "@holdpoint/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { callTool, inOrder, say } from "../src/testing/index.ts";
import { openClaudeScene, runTurn, type ClaudeScene } from "./support/claude-scene.ts";

let scene: ClaudeScene;
let session: AgentSession;
beforeAll(async () => {
  scene = await openClaudeScene();
  session = await scene.openSession();
});
afterAll(() => scene[Symbol.asyncDispose]());

const options = ["Node, and Bun", 'the "web"', "Desktop"].map((label) => ({
  label,
  description: "It",
}));
const ask = (question: string, multiSelect: boolean, choices: object[] = options) => ({
  header: "Target",
  question,
  multiSelect,
  options: choices,
});

/** The tool result of a card with these answers. */
async function tell(questions: object[], answers: Answer[], rest: object = {}): Promise<string> {
  scene.model.play(inOrder([[callTool("AskUserQuestion", { questions })], [say("Thanks.")]]));
  const { result } = await runTurn(session, "ask me", () => ({
    outcome: "answered",
    response: { action: "submit", answers, ...rest },
  }));
  expect(result).toEqual({ reason: "done" });
  const results = scene.model.requests.at(-1)?.results ?? [];
  expect(results).toHaveLength(1);
  return results[0]?.text ?? "";
}

describe("a question of Claude's", () => {
  test("reaches the person with ids, header and previews", async () => {
    const preview = "**bold**";
    const choices = [
      { label: "A", description: "First", preview },
      { label: "B", description: "" },
    ];
    scene.model.play(
      inOrder([
        [callTool("AskUserQuestion", { questions: [ask("Which?", false, choices)] }, "toolu_card")],
        [say("Thanks.")],
      ]),
    );
    const { turn } = await runTurn(session, "ask me", () => ({ outcome: "expired" }));
    expect(turn.requests).toEqual([
      {
        kind: "question",
        requestId: expect.any(String) as string,
        toolCallId: "toolu_card",
        toolName: "AskUserQuestion",
        questions: [
          {
            id: "q1",
            header: "Target",
            question: "Which?",
            multiSelect: false,
            options: [
              {
                id: "q1o1",
                label: "A",
                description: "First",
                preview: { format: "markdown", content: preview },
              },
              { id: "q1o2", label: "B" },
            ],
          },
        ],
      },
    ]);
    expect(scene.model.requests.at(-1)!.results[0]).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^No answer yet: .*may still answer later.*Do not assume/su),
    });
  });

  test("is answered with exactly the choices, and the model sees them as choices", async () => {
    const told = await tell(
      [ask("One?", false), ask("Several?", true), ask("Just one of several?", true)],
      [
        { questionId: "q1", selected: ["q1o1"] },
        { questionId: "q2", selected: ["q2o1", "q2o2", "q2o3"] },
        { questionId: "q3", selected: ["q3o2"] },
      ],
    );
    expect(told).toMatch(/^Your questions have been answered: /u);
    expect(told).toContain('"One?"="Node, and Bun"');
    expect(told).toContain('"Several?"=""Node, and Bun", "the \\"web\\"", Desktop"');
    expect(told).toContain('"Just one of several?"=""the \\"web\\"""');
  });

  test("is answered with the person's own words, alone and together with choices", async () => {
    const told = await tell(
      [ask("One?", false), ask("Several?", true), ask("Unanswered?", false)],
      [
        { questionId: "q1", selected: [], other: "None, thanks" },
        { questionId: "q2", selected: ["q2o3"], other: "and a pony" },
        { questionId: "q3", selected: [] },
      ],
    );
    expect(told).toContain('"One?"="None, thanks"');
    expect(told).toContain('"Several?"="Desktop, and a pony"');
    expect(told).not.toContain("Unanswered?");
  });

  test("can be answered with a free reply to the whole card, or skipped", async () => {
    const reply = "Let us talk about it first.";
    expect(await tell([ask("One?", false)], [], { reply })).toContain(reply);
    const skipped = await tell([ask("One?", false)], [], { action: "cancel", answers: undefined });
    expect(skipped).toBe("The user did not answer the questions.");
  });

  test("with the same text twice is returned to the model, and no one is asked", async () => {
    scene.model.play(
      inOrder([
        [callTool("AskUserQuestion", { questions: [ask("Same?", false), ask("Same?", true)] })],
        [say("Sorry.")],
      ]),
    );
    const { turn, result } = await runTurn(session, "ask me");
    expect(result).toEqual({ reason: "done" });
    expect(turn.requests).toEqual([]);
    expect(scene.model.requests.at(-1)!.results[0]).toMatchObject({ isError: true });
  });
});

import { readFile } from "node:fs/promises";
import { join } from "node:path";

import type { AgentSession } from "@holdpoint/engine";
import { createRecordingTurn } from "@holdpoint/engine/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";

import { spawnHosted } from "../src/host/spawn-hosted.ts";
import {
  callTool,
  fail,
  inOrder,
  openScriptedModel,
  say,
  stall,
  think,
  type ModelBlock,
} from "../src/testing/index.ts";
import {
  approvals,
  approve,
  deny,
  openClaudeScene,
  runTurn,
  type ClaudeScene,
} from "./support/claude-scene.ts";

let scene: ClaudeScene;
let session: AgentSession;
const agents: ReturnType<typeof spawnHosted>[] = [];
beforeAll(async () => {
  scene = await openClaudeScene({
    hostProcess(options) {
      const agent = spawnHosted(options);
      agents.push(agent);
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

describe("a turn of Claude's", () => {
  test("[R-8] with fifty prompts, many at once, is told completely and in order", async () => {
    const batches = [1, 9, 1, 20, 1, 18];
    let next = 0;
    const rounds = batches.map((size): ModelBlock[] => {
      const calls = Array.from({ length: size }, () => {
        next += 1;
        return callTool("Bash", { command: `echo n${next} >> order.txt`, description: "x" });
      });
      return [think(`before ${next}`), say(`up to ${next}`), ...calls];
    });
    scene.model.play(inOrder([...rounds, [say("All fifty.")]]));
    const { turn, result } = await runTurn(session, "go", () => approve());
    expect(result).toEqual({ reason: "done" });
    expect(turn.requests).toHaveLength(50);

    const said = rounds.flat().concat(say("All fifty."));
    const told = turn.events.flatMap((event) => {
      if (event.type === "tool_call") return [event.toolCallId];
      return event.type === "assistant_message" ? [event.text] : [];
    });
    expect(told).toEqual(
      said.map((block) =>
        block.type === "tool_use" ? block.id : block.type === "text" ? block.text : block.thinking,
      ),
    );
    const results = turn.events.flatMap((event) =>
      event.type === "tool_result" ? [event.toolCallId] : [],
    );
    expect(results.toSorted()).toEqual(
      said.flatMap((block) => (block.type === "tool_use" ? [block.id] : [])).toSorted(),
    );
    const lines = (await readFile(join(scene.folder, "order.txt"), "utf8")).trim().split("\n");
    expect(new Set(lines).size).toBe(50);
  });

  test("tells what a sub-agent says, does and asks, under the call that started it", async () => {
    scene.model.play(({ firstPrompt, allResults }) => {
      const isSubAgent = firstPrompt.includes("ERRAND");
      if (allResults.length > 0) return [say(isSubAgent ? "Errand done." : "All done.")];
      if (isSubAgent) {
        return [say("On it."), callTool("Bash", { command: "touch errand.txt" }, "toolu_inner")];
      }
      const input = { description: "Errand", prompt: "ERRAND", subagent_type: "general-purpose" };
      return [callTool("Agent", input, "toolu_outer")];
    });
    const { turn, result } = await runTurn(session, "go", () => approve());
    expect(result).toEqual({ reason: "done" });
    expect(approvals(turn)).toEqual([
      expect.objectContaining({ toolCallId: "toolu_inner", agentId: expect.stringMatching(/./u) }),
    ]);
    const inner = turn.events.filter(
      (event) => "parentToolCallId" in event && event.parentToolCallId === "toolu_outer",
    );
    expect(inner).toMatchObject([
      { type: "assistant_message", text: "On it." },
      { type: "tool_call", toolCallId: "toolu_inner" },
      { type: "assistant_message", text: "Errand done." },
    ]);
  });

  test("that is stopped while the model speaks keeps what was said, and another follows", async () => {
    scene.model.play(() => stall([say("I was about to"), { type: "text", text: "say more" }]));
    const turn = createRecordingTurn();
    const ended = session.runTurn({ messageId: "msg_1", content: "go" }, turn);
    await vi.waitFor(() => expect(turn.deltas.length).toBeGreaterThan(1), 10_000);
    turn.stop();
    expect(await ended).toEqual({ reason: "stopped" });
    expect(turn.events).toMatchObject([{ text: "I was about to" }, { text: "say more" }]);
    scene.model.play(() => [say("Here I am.")]);
    expect((await runTurn(session, "again")).result).toEqual({ reason: "done" });
  });

  test.each([0, 50, 300])(
    "[R-18] that is stopped %i ms after it began does nothing more, and another follows",
    async (delayMs) => {
      scene.model.play(inOrder([[bash("touch unwanted.txt")], [say("Went on.")]]));
      const turn = createRecordingTurn({ script: () => approve() });
      const ended = session.runTurn({ messageId: "msg_1", content: "go" }, turn);
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      turn.stop();
      expect(await ended).toEqual({ reason: "stopped" });
      scene.model.play(() => [say("Here I am.")]);
      const { turn: next, result } = await runTurn(session, "again");
      expect(result).toEqual({ reason: "done" });
      expect(next.events).toMatchObject([{ text: "Here I am." }]);
    },
  );

  test("goes on in a conversation that was closed, and asks anew with the key of what was allowed in it", async () => {
    scene.model.play(inOrder([[bash("touch granted.txt")], [say("Noted.")]]));
    const first = await runTurn(session, "My word is heliotrope.", () =>
      approve({ approvalScope: "session" }),
    );
    await session[Symbol.asyncDispose]();
    const { state } = first.turn;
    const reopened = await scene.openSession(state === undefined ? {} : { state });
    scene.model.play(inOrder([[bash("touch granted.txt")], [say("Remembered.")]]));
    const second = await runTurn(reopened, "What is my word?", () => deny());
    expect(JSON.stringify(scene.model.requests.at(-1)!.body["messages"])).toContain("heliotrope");
    const [asked] = approvals(first.turn);
    expect(approvals(second.turn)).toMatchObject([{ grantKey: asked!.grantKey }]);
    await reopened[Symbol.asyncDispose]();
  });

  test("begins anew, and says so, where the conversation is gone", async () => {
    const state = JSON.stringify({ conversationId: "6cca715c-a2d4-4804-88eb-09f07380f5a6" });
    const reopened = await scene.openSession({ state });
    scene.model.play(() => [say("Hello.")]);
    const { turn, result } = await runTurn(reopened, "hello");
    expect(result).toEqual({ reason: "done" });
    expect(turn.events).toMatchObject([
      { type: "error", code: "AGENT_CANNOT_RESUME" },
      { text: "Hello." },
    ]);
    await reopened[Symbol.asyncDispose]();
  });
});

describe("a failure of Claude's", () => {
  async function failure(): Promise<unknown> {
    const { turn, result } = await runTurn(session, "go");
    expect(turn.events).toEqual([]);
    return result;
  }

  async function expectUsable(): Promise<void> {
    scene.model.play(() => [say("Fine.")]);
    expect((await runTurn(session, "again")).result).toEqual({ reason: "done" });
  }

  test.each([
    [401, "authentication_error", "AGENT_UNAUTHENTICATED"],
    [429, "rate_limit_error", "AGENT_RATE_LIMITED"],
    [529, "overloaded_error", "AGENT_OVERLOADED"],
    [500, "api_error", "AGENT_FAILED"],
  ])("of the service (%i) is typed, and the next turn works", async (status, type, code) => {
    scene.model.play(() => fail(status, type));
    expect(await failure()).toEqual({
      reason: "error",
      code,
      message: expect.stringMatching(/./u),
    });
    await expectUsable();
  });

  test("of the network is typed, and the next turn works", async () => {
    const gone = await openScriptedModel(() => [say("x")]);
    const port = Number(new URL(gone.baseUrl).port);
    await gone[Symbol.asyncDispose]();
    await using other = await openClaudeScene({ env: { ANTHROPIC_BASE_URL: gone.baseUrl } });
    const lonely = await other.openSession();
    expect((await runTurn(lonely, "go")).result).toMatchObject({ code: "AGENT_UNREACHABLE" });
    await using back = await openScriptedModel(() => [say("Back.")], { port });
    expect((await runTurn(lonely, "again")).result).toEqual({ reason: "done" });
    expect(back.requests).toHaveLength(1);
  });

  test("of its process is typed, and the next turn resumes the conversation", async () => {
    scene.model.play(() => [say("Noted.")]);
    await runTurn(session, "My word is heliotrope.");
    scene.model.play(() => stall([say("Working")]));
    const turn = createRecordingTurn();
    const ended = session.runTurn({ messageId: "msg_1", content: "work" }, turn);
    await vi.waitFor(() => expect(turn.deltas.length).toBeGreaterThan(0), 10_000);
    process.kill(agents.at(-1)!.pid!, "SIGKILL");
    expect(await ended).toMatchObject({ reason: "error", code: "AGENT_CRASHED" });
    await expectUsable();
    expect(JSON.stringify(scene.model.requests.at(-1)!.body["messages"])).toContain("heliotrope");
  });

  test("to start is typed", async () => {
    await using other = await openClaudeScene({ pathToClaudeCodeExecutable: "/no/such/claude" });
    const info = await other.adapter.describe({ signal: new AbortController().signal });
    expect(info).toMatchObject({
      available: false,
      unavailableReason: expect.stringMatching(/claude/u),
    });
    const { result } = await runTurn(await other.openSession(), "go");
    expect(result).toMatchObject({ reason: "error", code: "AGENT_CRASHED" });
  });
});

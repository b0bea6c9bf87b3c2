import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import type { AgentSession } from "@holdpoint/engine";
import { createRecordingTurn, type RecordingTurn } from "@holdpoint/engine/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";

import { rows } from "../../../e2e/support/breadth.ts";
import { timeHere } from "../../../e2e/support/time-here.ts";
import { spawnHosted } from "../src/host/spawn-hosted.ts";
import {
  callTool,
  fail,
  inOrder,
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

const NOTHING = { inputTokens: 0, cachedTokens: 0, outputTokens: 0, costUsd: 0 };
const bash = (command: string) => callTool("Bash", { command, description: "Try it" });

describe("a turn of Claude's", () => {
  test("[R-8] with fifty prompts, many at once, reports everything in order", async () => {
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

  test("reports a sub-agent's texts, calls and requests under the call that started it", async () => {
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

  test("that is stopped during the model's answer keeps the text so far, and another follows", async () => {
    scene.model.play(() => stall([say("I was about to"), { type: "text", text: "say more" }]));
    const turn = createRecordingTurn();
    const ended = session.runTurn({ messageId: "msg_1", content: "go" }, turn);
    await vi.waitFor(() => expect(turn.deltas.length).toBeGreaterThan(1), 60_000);
    turn.stop();
    expect(await ended).toEqual({ reason: "stopped" });
    expect(turn.events).toMatchObject([{ text: "I was about to" }, { text: "say more" }]);
    scene.model.play(() => [say("Here I am.")]);
    expect((await runTurn(session, "again")).result).toEqual({ reason: "done" });
  });

  test("[R-5] reports a call refused by the person's own rule or the mode as not run", async () => {
    const settings = { permissions: { deny: ["Bash(touch ruled.txt)"] } };
    const file = join(scene.folder, ".config", "settings.json");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(settings));
    await using own = await scene.openSession({ permissionMode: "dontAsk" });
    const missing = callTool("Read", { file_path: join(scene.folder, "missing.txt") });
    scene.model.play(
      inOrder([[bash("touch ruled.txt")], [bash("touch moded.txt")], [missing], [say("No.")]]),
    );
    const { turn } = await runTurn(own, "go");
    rmSync(file);
    const results = turn.events.filter(({ type }) => type === "tool_result");
    expect(results).toMatchObject([
      { isError: true, refused: true },
      { isError: true, refused: true },
      { isError: true },
    ]);
    expect(results[2]).not.toHaveProperty("refused");
    expect(turn.requests).toEqual([]);
  });

  test.each(rows([50], [0, 300]))(
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

  test("continues a closed conversation, and asks again for an allowed call with the same key", async () => {
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

  test("reports its usage, also in a process that resumes the conversation", async () => {
    const usageOf = (turn: RecordingTurn) =>
      turn.entries.flatMap((entry) => (entry.kind === "usage" ? [entry.usage] : []));
    const perReply = { inputTokens: 10, cachedTokens: 0, outputTokens: 20 };
    scene.model.play(inOrder([[bash("true")], [say("Two replies.")], [say("One reply.")]]));
    const first = await runTurn(session, "go", () => approve());
    const [{ costUsd, ...tokens } = NOTHING] = usageOf(first.turn);
    expect(tokens).toEqual({ inputTokens: 20, cachedTokens: 0, outputTokens: 40 });
    expect(costUsd).toBeGreaterThan(0);
    const second = await runTurn(session, "again");
    expect(usageOf(second.turn)).toMatchObject([perReply]);
    expect(usageOf(second.turn)[0]!.costUsd).toBeCloseTo(costUsd! / 2, 10);

    await session[Symbol.asyncDispose]();
    const reopened = await scene.openSession({ state: second.turn.state! });
    scene.model.play(() => [say("Here I am.")]);
    const third = await runTurn(reopened, "once more");
    expect(usageOf(third.turn)).toMatchObject([perReply]);
    // The state of a gateway that did not count usage: earlier usage does not belong to this turn.
    const { conversationId } = JSON.parse(third.turn.state!) as Record<string, unknown>;
    await reopened[Symbol.asyncDispose]();
    const uncounted = await scene.openSession({ state: JSON.stringify({ conversationId }) });
    expect(usageOf((await runTurn(uncounted, "go")).turn)).toEqual([]);
    expect(usageOf((await runTurn(uncounted, "go")).turn)).toMatchObject([perReply]);
    await uncounted[Symbol.asyncDispose]();
  });

  test("starts a new conversation, with a notice, when the old one is gone", async () => {
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

  test("of the service is typed, and the next turn works", async () => {
    for (const [status, type, code] of [
      [401, "authentication_error", "AGENT_UNAUTHENTICATED"],
      [429, "rate_limit_error", "AGENT_RATE_LIMITED"],
      [529, "overloaded_error", "AGENT_OVERLOADED"],
      [500, "api_error", "AGENT_FAILED"],
    ] as const) {
      scene.model.play(() => fail(status, type));
      const message = expect.stringMatching(/./u);
      expect(await failure()).toEqual({ reason: "error", code, message });
      await expectUsable();
    }
  });

  test("that the runtime retries is reported, until the first word of the model", async () => {
    await using other = await openClaudeScene({ env: { CLAUDE_CODE_MAX_RETRIES: "2" } });
    other.model.play(inOrder([fail(529, "overloaded_error"), [say("Here.")]]));
    const { turn, result } = await runTurn(await other.openSession(), "go");
    expect(result).toEqual({ reason: "done" });
    const told = turn.entries.flatMap((entry): (boolean | string)[] =>
      entry.kind === "retrying" ? [entry.isRetrying] : entry.kind === "delta" ? ["text"] : [],
    );
    expect(told.slice(0, 3)).toEqual([true, false, "text"]);
    expect(told.filter((one) => one !== "text")).toEqual([true, false]);
  });

  test("of the login is reported within seconds, although the runtime would retry for minutes", async () => {
    await using other = await openClaudeScene({ env: { CLAUDE_CODE_MAX_RETRIES: undefined } });
    other.model.play(() => fail(401, "authentication_error"));
    const lonely = await other.openSession();
    const begun = performance.now();
    const { result } = await runTurn(lonely, "go");
    expect(result).toMatchObject({ reason: "error", code: "AGENT_UNAUTHENTICATED" });
    // Ten tries would take three minutes.
    expect(performance.now() - begun).toBeLessThan(timeHere(15_000));
    expect(other.model.requests).toHaveLength(2);
    other.model.play(() => [say("Signed in.")]);
    expect((await runTurn(lonely, "again")).result).toEqual({ reason: "done" });
  });

  test("of a limit names the end of the limit", async () => {
    await using other = await openClaudeScene({
      env: { ANTHROPIC_API_KEY: undefined, CLAUDE_CODE_OAUTH_TOKEN: "scripted-login" },
    });
    const endsAt = Math.floor(Date.now() / 1000) + 7200;
    other.model.play(() => ({
      ...fail(429, "rate_limit_error"),
      headers: {
        "anthropic-ratelimit-unified-status": "rejected",
        "anthropic-ratelimit-unified-reset": String(endsAt),
        "anthropic-ratelimit-unified-representative-claim": "five_hour",
      },
    }));
    expect((await runTurn(await other.openSession(), "go")).result).toMatchObject({
      code: "AGENT_RATE_LIMITED",
      retryAt: new Date(endsAt * 1000).toISOString(),
    });
  });

  test("because the conversation is too long, or its account has no credit, is typed", async () => {
    const long = "prompt is too long: 300000 tokens > 200000 maximum";
    scene.model.play(() => fail(400, "invalid_request_error", long));
    expect(await failure()).toMatchObject({ code: "AGENT_CONTEXT_FULL" });
    const poor = "Your credit balance is too low to access the Anthropic API.";
    scene.model.play(() => fail(400, "invalid_request_error", poor));
    expect(await failure()).toMatchObject({ code: "AGENT_NO_CREDIT" });
    await expectUsable();
  });

  test("of the network is typed, and the next turn works", async () => {
    await using other = await openClaudeScene();
    const lonely = await other.openSession();
    other.model.unplug();
    expect((await runTurn(lonely, "go")).result).toMatchObject({ code: "AGENT_UNREACHABLE" });
    expect(other.model.requests).toEqual([]);
    other.model.plugIn();
    expect((await runTurn(lonely, "again")).result).toEqual({ reason: "done" });
    expect(other.model.requests).toHaveLength(1);
  });

  test("of its process is typed, and the next turn resumes the conversation", async () => {
    scene.model.play(() => [say("Noted.")]);
    await runTurn(session, "My word is heliotrope.");
    scene.model.play(() => stall([say("Working")]));
    const turn = createRecordingTurn();
    const ended = session.runTurn({ messageId: "msg_1", content: "work" }, turn);
    await vi.waitFor(() => expect(turn.deltas.length).toBeGreaterThan(0), 60_000);
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
    expect(result).toMatchObject({ reason: "error", code: "AGENT_NOT_INSTALLED" });
    const lost = await scene.adapter.openSession({
      sessionId: "ses_lost",
      cwd: `${scene.folder}/gone`,
      permissionMode: "default",
    });
    expect((await runTurn(lost, "go")).result).toMatchObject({ code: "AGENT_CWD_GONE" });
  });
});

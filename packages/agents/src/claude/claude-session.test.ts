import type { PreToolUseHookInput } from "@anthropic-ai/claude-agent-sdk";
import type { AgentEvent, TurnContext, TurnResult } from "@holdpoint/engine";
import {
  createRecordingTurn,
  createSequentialIds,
  SimulatedClock,
  type HoldScript,
  type RecordingTurn,
} from "@holdpoint/engine/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { toOptions } from "./claude-options.ts";
import { ClaudeProcess } from "./claude-process.ts";
import { ClaudeSession } from "./claude-session.ts";
import { IdleProcesses } from "./idle-processes.ts";
import { EMPTY_STATE, parseState } from "./saved-state.ts";
import type { ClaudeSessionOptions } from "./session-options.ts";
import { createFakeQuery, type FakeProcess } from "./testing/fake-query.ts";

let clock: SimulatedClock;
let fake: ReturnType<typeof createFakeQuery>;
let session: ClaudeSession;

const modeConditions = { canBypass: true };
const openSession = (options: Partial<ClaudeSessionOptions> = {}) =>
  new ClaudeSession({
    cwd: "/work",
    clock,
    ids: createSequentialIds(),
    mode: "default",
    model: undefined,
    state: EMPTY_STATE,
    modeConditions,
    idle: new IdleProcesses(4),
    idleMs: 60_000,
    recordDir: undefined,
    loadQuery: () => Promise.resolve(fake.query),
    openTools: () => Promise.resolve(undefined),
    prepare: () => Promise.resolve(undefined),
    noteOfLeft: () => undefined,
    hasNotActed: () => Promise.resolve(false),
    withCause: (result) => Promise.resolve(result),
    toOptions: (start, onErrorOutput) =>
      toOptions(
        {
          environment: {},
          settingSources: ["user"],
          modeConditions,
          protectedPaths: { deny: [], ask: [] },
        },
        start,
        onErrorOutput,
      ),
    judge: () => Promise.resolve(undefined),
    judgeUnasked: () => Promise.resolve(undefined),
    onDispose: () => undefined,
    ...options,
  });
beforeEach(() => {
  clock = new SimulatedClock();
  fake = createFakeQuery();
  session = openSession();
});
afterEach(() => vi.restoreAllMocks());

const init = { type: "system", subtype: "init", session_id: "conversation-1" };
const done = { type: "result", subtype: "success", is_error: false, terminal_reason: "completed" };
const call = (id: string) => ({
  type: "assistant",
  parent_tool_use_id: null,
  message: {
    id: `m-${id}`,
    content: [{ type: "tool_use", id, name: "Bash", input: { command: id } }],
  },
});

interface Running {
  readonly turn: RecordingTurn;
  readonly process: FakeProcess;
  readonly ended: Promise<TurnResult>;
}

async function begin(script?: HoldScript, change: Partial<TurnContext> = {}): Promise<Running> {
  const turn = createRecordingTurn(script === undefined ? {} : { script });
  const context = Object.assign(turn, change);
  const ended = session.runTurn({ messageId: "msg_1", content: "go" }, context);
  await clock.settle();
  return { turn, ended, process: fake.processes.at(-1)! };
}

const approve: HoldScript = () => ({ outcome: "answered", response: { action: "approve" } });

describe("a session of Claude", () => {
  test("starts nothing before its first turn, and keeps one process for many turns", async () => {
    expect(fake.processes).toEqual([]);
    for (let count = 1; count <= 2; count += 1) {
      const { process, ended } = await begin();
      process.say(init, done);
      expect(await ended).toEqual({ reason: "done" });
      expect(process.prompts).toHaveLength(count);
    }
    expect(fake.processes).toHaveLength(1);
  });

  test("always names its permission mode and asks people, ignoring the folder's settings", async () => {
    const { process } = await begin();
    expect(process.options).toMatchObject({
      permissionMode: "default",
      settingSources: ["user"],
      settings: { useAutoModeDuringPlan: false, permissions: { allow: [] } },
      includePartialMessages: true,
    });
  });

  test("gives each process a separate connection to the gateway's tools, which ends with it", async () => {
    const closed: string[] = [];
    let opened = 0;
    session = openSession({
      openTools: async () => {
        opened += 1;
        const token = `token ${opened}`;
        const dispose = async () => void closed.push(token);
        return { url: "http://127.0.0.1:1/mcp", token, [Symbol.asyncDispose]: dispose };
      },
    });
    const first = await begin();
    expect(first.process.options.settings).toMatchObject({
      permissions: { allow: ["mcp__holdpoint"] },
    });
    expect(first.process.controls).toEqual([expect.stringContaining("Bearer token 1")]);
    expect(JSON.stringify(first.process.options)).not.toContain("token 1");
    first.process.say(init, done);
    await first.ended;
    expect(closed).toEqual([]);
    await clock.advance(60_000);
    expect(closed).toEqual(["token 1"]);
    const second = await begin();
    expect(second.process.controls).toEqual([expect.stringContaining("Bearer token 2")]);
    second.process.crash("gone");
    await second.ended;
    await clock.settle();
    expect(closed).toEqual(["token 1", "token 2"]);
  });

  test("allows no tools by the gateway's name when the gateway offers none", async () => {
    const { process } = await begin();
    expect(JSON.stringify(process.options.settings)).not.toContain("mcp__");
    expect(process.controls).toEqual([]);
  });

  test("ends an idle process, and resumes with its saved state", async () => {
    const first = await begin();
    await session.setModel("opus");
    first.process.say(init, { type: "system", subtype: "status", permissionMode: "plan" }, done);
    await first.ended;
    await clock.advance(59_000);
    expect(first.process.isClosed).toBe(false);
    await clock.advance(1000);
    expect(first.process.isClosed).toBe(true);
    const second = await begin();
    expect(second.process.options).toMatchObject({
      resume: "conversation-1",
      permissionMode: "plan",
      model: "opus",
    });
    await clock.advance(120_000);
    expect(second.process.isClosed).toBe(false);
  });

  test("saves the state for the next gateway, and reports a mode that the runtime changed", async () => {
    const permissionModeChanged = vi.fn<(mode: string) => Promise<void>>(() => Promise.resolve());
    const { turn, process, ended } = await begin(undefined, { permissionModeChanged });
    const status = { type: "system", subtype: "status", permissionMode: "acceptEdits" };
    process.say(init, init, status, status, done);
    await ended;
    expect(turn.entries.filter(({ kind }) => kind === "state")).toHaveLength(1);
    expect(parseState(turn.state).conversationId).toBe("conversation-1");
    expect(permissionModeChanged.mock.calls).toEqual([["acceptEdits"]]);
  });

  test("ignores the result of another prompt", async () => {
    const { process, ended } = await begin();
    process.say({ ...done, user_message_uuids: ["another"] });
    await clock.settle();
    process.say({ ...done, user_message_uuids: [process.prompts[0]!.uuid] });
    expect(await ended).toEqual({ reason: "done" });
  });

  test("changes its mode at once in a turn, and refuses an unknown one", async () => {
    const { process } = await begin();
    await session.setPermissionMode("acceptEdits");
    expect(process.controls).toEqual(["mode acceptEdits"]);
    await expect(session.setPermissionMode("no_such_mode")).rejects.toThrow("no_such_mode");
    const root = openSession({ modeConditions: { canBypass: false } });
    await expect(root.setPermissionMode("bypassPermissions")).rejects.toThrow("bypassPermissions");
  });
});

describe("[R-5] the mode that allows everything", () => {
  const status = { type: "system", subtype: "status", permissionMode: "bypassPermissions" };
  const ask = async ({ process }: Running, toolName = "Bash") => {
    const hook = process.options.hooks?.PreToolUse?.[0]?.hooks[0];
    const input = { hook_event_name: "PreToolUse", permission_mode: "bypassPermissions" };
    const use = { ...input, tool_name: toolName, tool_use_id: "t1" } as PreToolUseHookInput;
    return hook?.(use, "t1", { signal: new AbortController().signal });
  };
  const asks = { hookSpecificOutput: expect.objectContaining({ permissionDecision: "ask" }) };

  test("is left again if the runtime entered it, and every tool asks in the meantime", async () => {
    const permissionModeChanged = vi.fn<TurnContext["permissionModeChanged"]>(
      async () => undefined,
    );
    const running = await begin(approve, { permissionModeChanged });
    expect(await ask(running)).toEqual(asks);
    running.process.say(init, status);
    await clock.settle();
    expect(running.process.controls).toEqual(["mode default"]);
    expect(permissionModeChanged).not.toHaveBeenCalled();
    expect(await ask(running)).toEqual(asks);
    // A gateway tool asks the person itself.
    expect(await ask(running, "mcp__holdpoint__ask_user")).toEqual({});
  });

  test("asks nothing in the mode set by the gateway, and asks as soon as the gateway changes it", async () => {
    const running = await begin(approve);
    await session.setPermissionMode("bypassPermissions");
    expect(await ask(running)).toEqual({});
    const changed = session.setPermissionMode("default");
    expect(await ask(running)).toEqual(asks);
    await changed;
  });

  test("denies every tool between turns, since no one would see its use", async () => {
    const running = await begin(approve);
    await session.setPermissionMode("bypassPermissions");
    running.process.say(init, done);
    await running.ended;
    const denies = { hookSpecificOutput: expect.objectContaining({ permissionDecision: "deny" }) };
    for (const tool of ["Bash", "Read", "mcp__holdpoint__ask_user"]) {
      expect(await ask(running, tool)).toEqual(denies);
    }
    const next = await begin(approve);
    expect(next.process).toBe(running.process);
    expect(await ask(next)).toEqual({});
  });

  test("returns after planning, unless the gateway has changed the mode", async () => {
    const permissionModeChanged = vi.fn<TurnContext["permissionModeChanged"]>(
      async () => undefined,
    );
    const running = await begin(approve, { permissionModeChanged });
    await session.setPermissionMode("bypassPermissions");
    const planning = { ...status, permissionMode: "plan" };
    running.process.say(init, planning, status, planning);
    await clock.settle();
    await session.setPermissionMode("plan");
    running.process.say(status);
    await clock.settle();
    const followed = [["plan"], ["bypassPermissions"], ["plan"], ["default"]];
    expect(permissionModeChanged.mock.calls).toEqual(followed);
    expect(await ask(running)).toEqual(asks);
  });
});

describe("[R-8] a message of the agent", () => {
  test("counts as stored only once the log has it", async () => {
    const settle = vi.spyOn(ClaudeProcess.prototype, "settle");
    const disk = Promise.withResolvers<void>();
    const { process, ended } = await begin(approve, { emit: () => disk.promise });
    process.say({ ...call("t1"), uuid: "said" });
    await clock.settle();
    expect(settle).not.toHaveBeenCalled();
    disk.resolve();
    process.say({ ...done, uuid: "done" });
    await ended;
    await clock.settle();
    expect(settle.mock.calls).toEqual([["said"], ["done"]]);
  });

  test("never counts as stored if the log does not take it", async () => {
    const settle = vi.spyOn(ClaudeProcess.prototype, "settle");
    const emit = () => Promise.reject(new Error("The disk is full."));
    const { process, ended } = await begin(approve, { emit });
    process.say({ ...call("t1"), uuid: "said" });
    await ended;
    expect(settle).not.toHaveBeenCalled();
  });

  test("is logged once, even if it comes again after it was stored", async () => {
    const turn = createRecordingTurn();
    const said = { type: "assistant_message", messageId: "m1.0", text: "Hello", channel: "text" };
    const ended = session.attachTurn(turn, {
      told: [said as AgentEvent],
      readMessage: async () => undefined,
    });
    await clock.settle();
    const say = (id: string, text: string) => ({
      type: "assistant",
      parent_tool_use_id: null,
      message: { id, content: [{ type: "text", text }] },
    });
    fake.processes[0]?.say(say("m1", "Hello"), say("m2", "Bye"), done);
    await ended;
    expect(turn.events).toMatchObject([{ type: "assistant_message", text: "Bye" }]);
  });
});

describe("a call that needs a decision", () => {
  test("[R-8] is logged before it is held, even if the callback comes first", async () => {
    const { turn, process, ended } = await begin(approve);
    const decision = process.askPermission("Bash", "t1", { command: "t1" });
    await clock.settle();
    expect(turn.requests).toEqual([]);
    process.say(call("t1"));
    expect(await decision).toMatchObject({ behavior: "allow", updatedInput: { command: "t1" } });
    process.say(done);
    await ended;
    expect(turn.entries.map(({ kind }) => kind)).toEqual(["event", "hold", "held", "delivered"]);
    expect(clock.timerCount).toBe(1);
  });

  test("[R-8] is logged from the callback if its message never comes", async () => {
    const { turn, process } = await begin(approve);
    process.say({
      type: "system",
      subtype: "task_started",
      task_id: "agent-1",
      tool_use_id: "outer",
    });
    const decision = process.options.canUseTool!(
      "Bash",
      { command: "t1" },
      {
        signal: new AbortController().signal,
        toolUseID: "t1",
        agentID: "agent-1",
        requestId: "r1",
      },
    );
    await clock.advance(1000);
    expect(await decision).toMatchObject({ behavior: "allow" });
    process.say({ ...call("t1"), parent_tool_use_id: "outer" });
    await clock.settle();
    expect(turn.events).toEqual([
      {
        type: "tool_call",
        toolCallId: "t1",
        toolName: "Bash",
        input: { command: "t1" },
        parentToolCallId: "outer",
      },
    ]);
  });

  test("[R-5] is denied when no turn runs", async () => {
    const { process, ended } = await begin(approve);
    process.say(done);
    await ended;
    expect(await process.askPermission("Bash", "t1")).toMatchObject({ behavior: "deny" });
  });

  test("[R-5] is cancelled if an MCP server makes it between turns, and the next turn reports it", async () => {
    const { process, ended } = await begin(approve);
    process.say(done);
    await ended;
    const request = { serverName: "files", message: "Who are you?" };
    const signal = new AbortController().signal;
    const asked = process.options.onElicitation!(request, { signal, requestId: "r1" });
    expect(await asked).toEqual({ action: "cancel" });
    const next = await begin(approve);
    expect(next.turn.requests).toEqual([]);
    expect(next.turn.events).toEqual([
      {
        type: "error",
        code: "SERVER_REQUEST_DECLINED",
        message: expect.stringMatching(/^files: It asked while the agent had no turn/u),
      },
    ]);
    next.process.say(done);
    expect(await next.ended).toEqual({ reason: "done" });
  });

  test("[R-5] is denied if it comes from another process than the running turn's", async () => {
    const first = await begin();
    first.turn.stop();
    await clock.advance(5000);
    await first.ended;
    const second = await begin(approve);
    expect(await first.process.askPermission("Bash", "late")).toMatchObject({ behavior: "deny" });
    expect(second.turn.requests).toEqual([]);
  });

  test("[R-4] has its answer delivered by the message that shows its run", async () => {
    const { turn, process } = await begin(approve);
    process.say(call("t1"));
    await process.askPermission("Bash", "t1");
    await clock.settle();
    process.say({ type: "tool_progress", tool_use_id: "t2", parent_tool_use_id: null });
    await clock.settle();
    expect(turn.entries.at(-1)?.kind).toBe("held");
    const beat = { tool_use_id: "t1-heartbeat-0", parent_tool_use_id: "t1" };
    process.say({ type: "tool_progress", ...beat });
    await clock.settle();
    expect(turn.entries.at(-1)).toEqual({ kind: "delivered", interactionId: "int_1" });
  });

  test("[R-4] leaves the delivery of its answer open when the process dies, since the agent's record may show more", async () => {
    const { turn, process, ended } = await begin(approve);
    process.say(call("t1"));
    await process.askPermission("Bash", "t1");
    process.crash("gone");
    expect(await ended).toMatchObject({ reason: "error", isAgentLost: true });
    expect(turn.entries.map(({ kind }) => kind)).not.toContain("delivered");
  });

  test("[R-4] has an answer of unknown delivery when its turn is stopped by force", async () => {
    const { turn, process, ended } = await begin(approve);
    process.say(call("t1"));
    await process.askPermission("Bash", "t1");
    turn.stop();
    await clock.advance(5000);
    expect(await ended).toEqual({ reason: "stopped" });
    const delivered = { kind: "delivered", interactionId: "int_1", knowledge: "unknown" };
    expect(turn.entries.at(-1)).toEqual(delivered);
  });

  test("is cancelled by the runtime, but not by the death of the process", async () => {
    const cancelled = await begin();
    cancelled.process.say(call("t1"));
    const request = new AbortController();
    void cancelled.process.askPermission("Bash", "t1", {}, request.signal);
    await clock.settle();
    request.abort();
    await clock.settle();
    expect(cancelled.turn.entries.at(-1)).toMatchObject({ result: { outcome: "withdrawn" } });
    cancelled.process.say(done);
    await cancelled.ended;

    const died = await begin();
    const requestOfDead = new AbortController();
    void died.process.askPermission("Bash", "t2", {}, requestOfDead.signal);
    await clock.advance(1000);
    died.process.crash("gone");
    requestOfDead.abort();
    await died.ended;
    await clock.settle();
    expect(died.turn.entries.at(-1)?.kind).toBe("hold");
  });

  test.each(["default", "bypassPermissions"])(
    "[R-12] is not asked twice in the mode %s, where the runtime already asks",
    async (mode) => {
      const { turn, process } = await begin(approve);
      const hook = process.options.hooks?.PreToolUse?.[1]?.hooks[0];
      const { signal } = new AbortController();
      const input = { hook_event_name: "PreToolUse", permission_mode: mode, tool_use_id: "t1" };
      expect(await hook?.(input as PreToolUseHookInput, "t1", { signal })).toEqual({});
      expect(turn.requests).toEqual([]);
    },
  );
});

describe("a turn that cannot continue", () => {
  test("[R-18] is stopped by force after five seconds, and the next one gets a new process", async () => {
    const { turn, process, ended } = await begin();
    process.say(init);
    await clock.settle();
    turn.stop();
    await clock.advance(4999);
    expect(process.controls).toEqual(["interrupt"]);
    expect(process.isClosed).toBe(false);
    await clock.advance(1);
    expect(await ended).toEqual({ reason: "stopped" });
    expect(process.isClosed).toBe(true);
    expect((await begin()).process.options.resume).toBe("conversation-1");
  });

  test("[R-18] does not disturb the next one if it was stopped at its start", async () => {
    const first = createRecordingTurn();
    const stopped = session.runTurn({ messageId: "msg_1", content: "go" }, first);
    first.stop();
    expect(await stopped).toEqual({ reason: "stopped" });
    const { process, ended } = await begin();
    process.say(done);
    expect(await ended).toEqual({ reason: "done" });
    expect(fake.processes.flatMap(({ prompts }) => prompts)).toHaveLength(1);
  });

  test("takes along its old process, which ends late", async () => {
    const first = await begin();
    first.turn.stop();
    await clock.advance(5000);
    await first.ended;
    const second = await begin();
    first.process.say(call("late"), done);
    first.process.crash("late");
    await clock.settle();
    second.process.say(call("t1"), done);
    expect(await second.ended).toEqual({ reason: "done" });
    expect(second.turn.events).toMatchObject([{ toolCallId: "t1" }]);
  });

  test("[R-5] ends the agent if its log takes nothing", async () => {
    const { process, ended } = await begin(approve, {
      emit: () => Promise.reject(new Error("The disk is full.")),
    });
    process.say(call("t1"), done);
    expect(await ended).toEqual({
      reason: "error",
      code: "AGENT_FAILED",
      message: "The disk is full.",
    });
    expect(process.isClosed).toBe(true);
  });

  test("reports the reason if its process crashed", async () => {
    const { process, ended } = await begin();
    process.crash("Claude Code process exited with code 1");
    expect(await ended).toEqual({
      reason: "error",
      code: "AGENT_CRASHED",
      message: "Claude Code process exited with code 1",
      isAgentLost: true,
    });
    expect((await begin()).process).not.toBe(process);
  });

  test("ends at the second try if no one is signed in, and the next one gets a new process", async () => {
    const turn = createRecordingTurn();
    const ended = session.runTurn({ messageId: "msg_1", content: "go" }, turn);
    await clock.settle();
    const retry = (attempt: number, status: number | null, error: string) => ({
      type: "system",
      subtype: "api_retry",
      attempt,
      error_status: status,
      error,
    });
    const [process] = fake.processes;
    process!.say(retry(9, 529, "overloaded"), retry(1, 401, "authentication_failed"));
    await clock.settle();
    expect(process!.isClosed).toBe(false);
    process!.say(retry(2, 401, "authentication_failed"));
    expect(await ended).toMatchObject({ reason: "error", code: "AGENT_UNAUTHENTICATED" });
    expect(process!.isClosed).toBe(true);
    void session.runTurn({ messageId: "msg_2", content: "again" }, createRecordingTurn());
    await clock.settle();
    expect(fake.processes).toHaveLength(2);
  });

  test("reports a missing SDK", async () => {
    session = openSession({ loadQuery: () => Promise.reject(new Error("Cannot find package")) });
    const turn = createRecordingTurn();
    const result = await session.runTurn({ messageId: "msg_1", content: "go" }, turn);
    expect(result).toEqual({
      reason: "error",
      code: "AGENT_CRASHED",
      message: "Cannot find package",
    });
  });

  test("[R-18] leaves no timer and no process when its session is disposed", async () => {
    const { process, ended } = await begin();
    await session[Symbol.asyncDispose]();
    expect(await ended).toEqual({ reason: "stopped" });
    expect(process.isClosed).toBe(true);
    expect(clock.timerCount).toBe(0);
  });
});

describe("a turn that another gateway began", () => {
  test("continues without a message, and repeats nothing", async () => {
    const turn = createRecordingTurn({ script: approve });
    const before: AgentEvent = { type: "tool_call", toolCallId: "t1", toolName: "Bash", input: {} };
    const ended = session.attachTurn(turn, { told: [before], readMessage: async () => undefined });
    await clock.settle();
    const [process] = fake.processes;
    expect(process?.prompts).toEqual([]);
    expect(process?.controls).toEqual([]);
    const decision = process?.askPermission("Bash", "t1", { command: "t1" });
    process?.say(call("t1"), { ...done, user_message_uuids: ["of the gateway before"] });
    expect(await decision).toMatchObject({ behavior: "allow" });
    expect(await ended).toEqual({ reason: "done" });
    expect(turn.events).toEqual([]);
    expect(turn.requests).toHaveLength(1);
  });
});

describe("an id that names several calls", () => {
  test("[R-5] [R-15] gives each request its answer with the next gateway", async () => {
    const turn = createRecordingTurn({ script: approve });
    const event = (toolCallId: string): AgentEvent => ({
      type: "tool_call",
      toolCallId,
      toolName: "Bash",
      input,
    });
    // The first of them runs, and the second one waits.
    const asked = new Map([
      ["r1", "c"],
      ["r2", "c~2"],
    ]);
    void session.attachTurn(turn, {
      told: [event("c"), event("c~2")],
      asked,
      readMessage: async () => undefined,
    });
    await clock.settle();
    const { signal } = new AbortController();
    const { canUseTool } = fake.processes[0]!.options;
    await canUseTool!("Bash", input, { signal, toolUseID: "c", requestId: "r2" });
    expect(turn.requests).toMatchObject([{ toolCallId: "c~2", requestId: "r2" }]);
  });

  const input = { command: "c" };
  const result = (content: string) => ({
    type: "user",
    parent_tool_use_id: null,
    message: { content: [{ type: "tool_result", tool_use_id: "c", content }] },
  });
  const yesThenNo = (): HoldScript => {
    let count = 0;
    return () => {
      count += 1;
      const action = count === 1 ? "approve" : "deny";
      return { outcome: "answered", response: { action } };
    };
  };

  test.each<[string, boolean]>([
    ["one after the other", true],
    ["in one message", false],
  ])("[R-5] [R-15] needs a decision for each of them, %s", async (_, isEnded) => {
    const { turn, process, ended } = await begin(yesThenNo());
    process.say(call("c"));
    expect(await process.askPermission("Bash", "c", input)).toMatchObject({ behavior: "allow" });
    process.say(...(isEnded ? [result("one"), call("c")] : [call("c")]));
    expect(await process.askPermission("Bash", "c", input)).toMatchObject({ behavior: "deny" });
    process.say(...(isEnded ? [result("two")] : [result("one"), result("two")]), done);
    await ended;
    expect(turn.requests.map(({ toolCallId }) => toolCallId)).toEqual(["c", "c~2"]);
    expect(turn.events.filter(({ type }) => type === "tool_result")).toMatchObject([
      { toolCallId: "c", content: "one" },
      { toolCallId: "c~2", content: "two" },
    ]);
    expect(turn.entries.filter(({ kind }) => kind === "delivered")).toHaveLength(2);
  });

  test("[R-5] a denial of one call does not deny the next one", async () => {
    let count = 0;
    const { process } = await begin(() => {
      count += 1;
      return { outcome: "answered", response: { action: count === 1 ? "deny" : "approve" } };
    });
    process.say(call("c"));
    expect(await process.askPermission("Bash", "c", input)).toMatchObject({ behavior: "deny" });
    process.say(result("denied"), call("c"));
    expect(await process.askPermission("Bash", "c", input)).toMatchObject({ behavior: "allow" });
  });

  test("[R-5] each question of a sub-agent gets a separate answer", async () => {
    const { turn, process } = await begin(yesThenNo());
    for (const agent of ["one", "two"]) {
      process.say(
        { type: "system", subtype: "task_started", task_id: agent, tool_use_id: `by ${agent}` },
        { ...call("c"), parent_tool_use_id: `by ${agent}` },
      );
    }
    await clock.settle();
    const { signal } = new AbortController();
    const ask = (agentID: string) =>
      process.options.canUseTool!("Bash", input, {
        signal,
        toolUseID: "c",
        agentID,
        requestId: agentID,
      });
    // The second sub-agent asks first.
    expect(await ask("two")).toMatchObject({ behavior: "allow" });
    expect(await ask("one")).toMatchObject({ behavior: "deny" });
    expect(turn.requests).toMatchObject([
      { toolCallId: "c~2", agentId: "two" },
      { toolCallId: "c", agentId: "one" },
    ]);
  });

  test("[R-4] an answer counts as taken only with the result of its call", async () => {
    const { turn, process } = await begin(approve);
    process.say(call("c"));
    await process.askPermission("Bash", "c", input);
    process.say(call("c"));
    await process.askPermission("Bash", "c", input);
    process.say(result("one"));
    await clock.settle();
    expect(turn.entries.filter(({ kind }) => kind === "delivered")).toHaveLength(1);
  });

  test("a request that comes twice while it is open is one request, and leaves nothing behind", async () => {
    const { turn, process } = await begin(approve);
    process.say(call("c"));
    await clock.settle();
    const about = { signal: new AbortController().signal, toolUseID: "c", requestId: "r" };
    const ask = () => process.options.canUseTool!("Bash", input, about);
    const [first, second] = await Promise.all([ask(), ask()]);
    expect(second).toBe(first);
    expect(turn.requests).toHaveLength(1);
  });
});

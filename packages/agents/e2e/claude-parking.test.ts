import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { appendFile, readdir } from "node:fs/promises";
import { join } from "node:path";

import { createRecordingTurn, type HoldScript } from "@holdpoint/engine/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { rows } from "../../../e2e/support/breadth.ts";
import { callTool, inOrder, say, type ModelBlock } from "../src/testing/index.ts";
import {
  approvals,
  approve,
  deny,
  openClaudeScene,
  type ClaudeScene,
} from "./support/claude-scene.ts";
import { park, parkAsked, resume } from "./support/parked.ts";

let scene: ClaudeScene;
beforeEach(async () => {
  scene = await openClaudeScene();
});
afterEach(() => scene[Symbol.asyncDispose]());

const bash = (command: string, id?: string) =>
  callTool("Bash", { command, description: "Try it" }, id);
const LEAVE_TRACE = "echo ran >> ran.txt";
const question = callTool("AskUserQuestion", {
  questions: [
    {
      header: "Colour",
      question: "Which colour?",
      multiSelect: false,
      options: [
        { label: "Crimson", description: "" },
        { label: "Turquoise", description: "" },
      ],
    },
  ],
});
const answer: HoldScript = () => ({
  outcome: "answered",
  response: { action: "submit", answers: [{ questionId: "q1", selected: ["q1o2"] }] },
});
const ranWith = (name = "ran.txt"): string =>
  existsSync(join(scene.folder, name)) ? readFileSync(join(scene.folder, name), "utf8") : "";
const play = (call: ModelBlock, ...later: ModelBlock[]): void =>
  scene.model.play(
    inOrder([[say("Let me."), call], ...later.map((block) => [block]), [say("Done.")]]),
  );
const heard = (): string => scene.model.requests.at(-1)?.results[0]?.text ?? "";

async function transcriptPath(): Promise<string> {
  const projects = join(scene.folder, ".config", "projects");
  const names = await readdir(projects, { recursive: true });
  return join(projects, names.find((name) => name.endsWith(".jsonl")) ?? "");
}

describe("a call whose agent was parked", () => {
  test("[R-6] is asked about again with the same id, and runs once", async () => {
    play(bash(LEAVE_TRACE));
    const parked = await park(scene);
    expect(scene.model.requests).toHaveLength(1);
    const { turn, result } = await resume(scene, parked, { script: () => approve() });
    expect(result).toEqual({ reason: "done" });
    expect(turn.requests).toMatchObject([
      { toolCallId: parked.toolCallId, input: { command: LEAVE_TRACE }, cwd: scene.folder },
    ]);
    expect(ranWith()).toBe("ran\n");
    expect(turn.events.map(({ type }) => type)).toEqual(["tool_result", "assistant_message"]);
    expect(turn.entries).toContainEqual({ kind: "delivered", interactionId: "int_1" });
    expect(scene.model.requests).toHaveLength(2);
    expect(scene.model.requests[1]?.allResults).toHaveLength(1);
  });

  test("runs with the person's edit", async () => {
    play(bash(LEAVE_TRACE));
    const parked = await park(scene);
    const input = { command: "echo edited >> ran.txt" };
    await resume(scene, parked, { script: () => ({ ...approve(), input }) });
    expect(ranWith()).toBe("edited\n");
  });

  test("does not run when it is denied, and the agent gets the reason", async () => {
    play(bash(LEAVE_TRACE));
    const parked = await park(scene);
    const { result } = await resume(scene, parked, { script: () => deny({ reason: "Not now." }) });
    expect(result).toEqual({ reason: "done" });
    expect(heard()).toContain("Not now.");
    expect(ranWith()).toBe("");
  });

  test("ends the turn when it is denied with a stop", async () => {
    play(bash(LEAVE_TRACE));
    const parked = await park(scene);
    const script: HoldScript = () => deny({ reason: "Enough.", stopTurn: true });
    expect((await resume(scene, parked, { script })).result).toEqual({ reason: "stopped" });
    expect(scene.model.requests).toHaveLength(1);
    expect(ranWith()).toBe("");
  });

  test.each(rows(["plan", "bypassPermissions"], ["default", "acceptEdits", "dontAsk"]))(
    "[R-12] gets the answer to its question in the mode %s",
    async (permissionMode) => {
      play(question);
      const parked = await park(scene, { permissionMode });
      const { turn, result } = await resume(scene, parked, { permissionMode, script: answer });
      expect(result).toEqual({ reason: "done" });
      // The resumed process asks with a new request.
      const { requestId } = turn.requests[0] ?? {};
      expect(turn.requests).toEqual(parked.turn.requests.map((asked) => ({ ...asked, requestId })));
      expect(heard()).toContain('"Which colour?"="Turquoise"');
      expect(turn.entries.filter(({ kind }) => kind === "mode")).toEqual([]);
    },
  );

  test("leaves planning in the mode that the person chose", async () => {
    play(callTool("ExitPlanMode", { plan: "# Do it" }), bash("mkdir made"));
    const parked = await park(scene, { permissionMode: "plan" });
    const { turn, result } = await resume(scene, parked, {
      permissionMode: "plan",
      script: () => approve(),
    });
    expect(result).toEqual({ reason: "done" });
    expect(approvals(turn).map(({ toolName }) => toolName)).toEqual(["ExitPlanMode", "Bash"]);
    expect(turn.entries).toContainEqual({ kind: "mode", mode: "default" });
  });

  test("[R-5] is asked about, as the only call, although its mode now allows everything", async () => {
    play(bash(LEAVE_TRACE), bash("echo more >> more.txt"));
    const parked = await park(scene);
    const { turn, result } = await resume(scene, parked, {
      permissionMode: "bypassPermissions",
      script: () => deny(),
    });
    expect(result).toEqual({ reason: "done" });
    expect(turn.requests).toHaveLength(1);
    expect([ranWith(), ranWith("more.txt")]).toEqual(["", "more\n"]);
  });

  test("[R-5] is asked about although the person's own settings now allow it", async () => {
    play(bash(LEAVE_TRACE));
    const parked = await park(scene);
    const settings = { permissions: { allow: ["Bash"] } };
    writeFileSync(join(scene.folder, ".config", "settings.json"), JSON.stringify(settings));
    const { turn } = await resume(scene, parked, { script: () => deny() });
    expect(turn.requests).toHaveLength(1);
    expect(ranWith()).toBe("");
  });

  test("can be parked and killed repeatedly", async () => {
    play(bash(LEAVE_TRACE));
    let parked = await park(scene);
    for (let round = 0; round < 2; round += 1) {
      const session = await scene.openSession({ state: parked.state });
      const turn = createRecordingTurn();
      const ended = session.resumeTurn!(parked.toolCallId, turn);
      parked = await parkAsked(session, turn, ended, parked.state);
      await session[Symbol.asyncDispose]();
    }
    await resume(scene, parked, { script: () => approve() });
    expect(ranWith()).toBe("ran\n");
    expect(scene.model.requests).toHaveLength(2);
  });

  test("[R-15] does not disturb another call that is resumed at the same time", async () => {
    scene.model.play(({ allResults }) =>
      allResults.length > 0 ? [say("Done.")] : [bash("echo $$ >> ran.txt")],
    );
    const both = await Promise.all([park(scene), park(scene)]);
    const results = await Promise.all(
      both.map((parked) => resume(scene, parked, { script: () => approve() })),
    );
    expect(results.map(({ result }) => result)).toEqual([{ reason: "done" }, { reason: "done" }]);
    expect(new Set(both.map(({ toolCallId }) => toolCallId)).size).toBe(2);
    expect(ranWith().trim().split("\n")).toHaveLength(2);
  });

  test("continues in the same session, which then takes messages", async () => {
    play(bash(LEAVE_TRACE));
    const session = await scene.openSession();
    const first = createRecordingTurn();
    const ended = session.runTurn({ messageId: "msg_1", content: "go" }, first);
    const { toolCallId } = await parkAsked(session, first, ended);
    const second = createRecordingTurn({ script: () => approve() });
    expect(await session.resumeTurn!(toolCallId, second)).toEqual({ reason: "done" });
    scene.model.play(() => [say("Here I am.")]);
    const third = createRecordingTurn();
    const message = { messageId: "msg_2", content: "Still there?" };
    expect(await session.runTurn(message, third)).toEqual({ reason: "done" });
    expect(third.events).toMatchObject([{ text: "Here I am." }]);
  });

  test("[R-5] does not run with a later message when its resumption was not completed", async () => {
    play(bash(LEAVE_TRACE));
    const first = await park(scene);
    const session = await scene.openSession({ state: first.state });
    const turn = createRecordingTurn();
    const ended = session.resumeTurn!(first.toolCallId, turn);
    const { state } = await parkAsked(session, turn, ended, first.state);
    await session[Symbol.asyncDispose]();
    scene.model.play(() => [say("Something else.")]);
    const other = await scene.openSession({ state, permissionMode: "bypassPermissions" });
    const last = createRecordingTurn({ script: () => approve() });
    const message = { messageId: "msg_2", content: "Do something else." };
    expect(await other.runTurn(message, last)).toEqual({ reason: "done" });
    expect(last.requests).toEqual([]);
    expect(ranWith()).toBe("");
    expect(await other.canResume!(first.toolCallId)).toBe(false);
    await other[Symbol.asyncDispose]();
  });
});

describe("a call that cannot be resumed", () => {
  const gone = {
    reason: "error",
    code: "AGENT_CANNOT_RESUME",
    message: expect.stringContaining("record"),
  };

  test("because the record is gone ends its turn with an error, and nothing runs", async () => {
    play(bash(LEAVE_TRACE));
    const parked = await park(scene);
    rmSync(await transcriptPath());
    const { turn, result } = await resume(scene, parked, { script: () => approve() });
    expect(result).toEqual(gone);
    expect(turn.entries).toEqual([]);
  });

  test("because the conversation has continued ends its turn with an error", async () => {
    play(bash(LEAVE_TRACE));
    const parked = await park(scene);
    const line = { type: "user", message: { role: "user", content: "Something else." } };
    await appendFile(await transcriptPath(), `${JSON.stringify(line)}\n`);
    const { result } = await resume(scene, parked, { script: () => approve() });
    expect(result).toEqual(gone);
    expect(ranWith()).toBe("");
  });

  test.each<[string, ModelBlock[]]>([
    ["another call is beside it", [bash("echo 1 >> ran.txt"), bash("echo 2 >> ran.txt")]],
    [
      "another call has already run beside it",
      [
        callTool("Glob", { pattern: "*" }),
        bash("echo 1 >> ran.txt"),
        callTool("Read", { file_path: "/etc/hostname" }),
      ],
    ],
  ])("because %s is held, and no call is lost", async (_, calls) => {
    scene.model.play(inOrder([[say("Let me."), ...calls], [say("Done.")]]));
    const session = await scene.openSession();
    const held = Promise.withResolvers<void>();
    const turn = createRecordingTurn({ script: () => held.promise.then(() => approve()) });
    const ended = session.runTurn({ messageId: "msg_1", content: "go" }, turn);
    await vi.waitFor(() => expect(turn.requests.length).toBeGreaterThan(0), 60_000);
    expect(await session.canResume!(turn.requests[0]!.toolCallId)).toBe(false);
    held.resolve();
    expect(await ended).toEqual({ reason: "done" });
    expect(scene.model.requests.at(-1)?.results).toHaveLength(calls.length);
    expect(scene.model.requests.at(-1)?.results.every(({ text }) => text !== "")).toBe(true);
  });

  test("because a sub-agent makes it is held, and no call is lost", async () => {
    scene.model.play(({ firstPrompt, allResults }) => {
      const isSubAgent = firstPrompt.includes("ERRAND");
      if (allResults.length > 0) return [say(isSubAgent ? "Errand done." : "All done.")];
      if (isSubAgent) return [bash(LEAVE_TRACE, "toolu_inner")];
      const input = { description: "Errand", prompt: "ERRAND", subagent_type: "general-purpose" };
      return [callTool("Agent", input, "toolu_outer")];
    });
    const session = await scene.openSession();
    const held = Promise.withResolvers<void>();
    const turn = createRecordingTurn({ script: () => held.promise.then(() => approve()) });
    const ended = session.runTurn({ messageId: "msg_1", content: "go" }, turn);
    await vi.waitFor(
      () => expect(turn.requests.at(-1)).toMatchObject({ toolCallId: "toolu_inner" }),
      20_000,
    );
    expect(await session.canResume!("toolu_inner")).toBe(false);
    expect(await session.canResume!("toolu_outer")).toBe(false);
    held.resolve();
    expect(await ended).toEqual({ reason: "done" });
    expect(ranWith()).toBe("ran\n");
  });

  test("because it would run in a directory that a new process does not start in is held", async () => {
    mkdirSync(join(scene.folder, "inner"));
    play(bash("cd inner"), bash("echo ran > ran.txt"));
    const session = await scene.openSession();
    const held = Promise.withResolvers<void>();
    const turn = createRecordingTurn({
      script: async (request) => {
        if (JSON.stringify(request).includes("echo ran")) await held.promise;
        return approve();
      },
    });
    const ended = session.runTurn({ messageId: "msg_1", content: "go" }, turn);
    const isAsked = () => approvals(turn).find(({ input }) => input["command"] !== "cd inner");
    const asked = await vi.waitUntil(isAsked, 60_000);
    expect(asked.cwd).toBe(join(scene.folder, "inner"));
    expect(await session.canResume!(asked.toolCallId)).toBe(false);
    held.resolve();
    expect(await ended).toEqual({ reason: "done" });
  });
});

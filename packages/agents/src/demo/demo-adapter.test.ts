import { writeFile } from "node:fs/promises";

import type { HoldRequest } from "@holdpoint/engine";
import {
  createRecordingTurn,
  type HoldScript,
  type ScriptedOutcome,
} from "@holdpoint/engine/testing";
import { agentInfoSchema, formSchema, questionSchema, inEnglish } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { lateResponseMessage } from "../../../engine/src/interaction/late-response-message.ts";
import { PROMPTS } from "./prompts.ts";
import { createSeams, NEVER, openDemo, runTurn } from "./testing/open-demo.ts";

type Approval = Extract<HoldRequest, { kind: "approval" }>;

const approve = (more: object = {}): ScriptedOutcome => ({
  outcome: "answered",
  response: { action: "approve", ...more },
});
const deny = (reason?: string): ScriptedOutcome => ({
  outcome: "answered",
  response: { action: "deny", ...(reason !== undefined && { reason }) },
});
const answer = (style: object, checks: object): ScriptedOutcome => ({
  outcome: "answered",
  response: {
    action: "submit",
    answers: [
      { questionId: "style", selected: [], ...style },
      { questionId: "checks", selected: [], ...checks },
    ],
  },
});
const submit = (values: Record<string, unknown>): ScriptedOutcome => ({
  outcome: "answered",
  response: { action: "submit", values },
  values,
});
const chooseAndApprove =
  (approval: ScriptedOutcome): HoldScript =>
  ({ kind }) => {
    if (kind === "question") return answer({ selected: ["list"] }, { selected: ["unit", "speed"] });
    return kind === "form" ? submit({ channel: "Blog" }) : approval;
  };

const approvalsOf = (requests: readonly HoldRequest[]): Approval[] =>
  requests.filter((request) => request.kind === "approval");

describe("the demo agent", () => {
  test("introduces itself as scripted and without a model, and suggests the messages it understands", async () => {
    await using demo = await openDemo();
    const info = agentInfoSchema.parse(await demo.adapter.describe({ signal: NEVER }));
    expect(info).toMatchObject({
      agent: "demo",
      label: "Demo agent (scripted, no model)",
      available: true,
      scripted: true,
    });
    expect(info.permissionModes.map(({ mode }) => mode)).toEqual(["default", "acceptEdits"]);
    const session = await demo.open();
    for (const prompt of info.suggestedPrompts) {
      const { turn } = await runTurn(session, prompt, () => deny());
      expect(turn.requests.length).toBeGreaterThan(0);
    }
  });

  test("answers free text with a list of its abilities, and asks for nothing", async () => {
    await using demo = await openDemo();
    const { turn, text } = await runTurn(await demo.open(), "Could you book me a flight?");
    for (const prompt of Object.values(PROMPTS)) expect(text).toContain(prompt);
    expect(turn.requests).toEqual([]);
  });

  test.each(["ask me TWO questions!", "  Ask me two\nquestions. "])(
    "understands %j whatever its case and punctuation",
    async (prompt) => {
      await using demo = await openDemo();
      const { turn } = await runTurn(await demo.open(), prompt, () => deny());
      expect(turn.requests).toHaveLength(1);
    },
  );

  test.each([PROMPTS.tour, PROMPTS.threeThings, PROMPTS.threeEdits])(
    "asks, shows and writes the same each time for %j",
    async (prompt) => {
      const runs = new Set<string>();
      for (let count = 0; count < 5; count += 1) {
        await using demo = await openDemo();
        const { turn, text } = await runTurn(
          await demo.open(),
          prompt,
          chooseAndApprove(approve()),
        );
        const calls = turn.events.filter(({ type }) => type === "tool_call");
        const seen = JSON.stringify({ text, calls, requests: turn.requests });
        runs.add(seen.replaceAll(demo.folder, "FOLDER"));
      }
      expect(runs.size).toBe(1);
    },
  );

  test("streams word by word at its pace, and keeps the text so far when it is stopped", async () => {
    const seams = createSeams();
    const turn = createRecordingTurn();
    const sleep: typeof seams.clock.sleep = async (durationMs, options) => {
      if (seams.slept.length === 2) turn.stop();
      await seams.clock.sleep(durationMs, options);
    };
    await using demo = await openDemo({ ...seams, clock: { ...seams.clock, sleep }, delayMs: 7 });
    const session = await demo.open();
    const result = await session.runTurn({ messageId: "msg_user", content: "Hello" }, turn);
    expect(result).toEqual({ reason: "stopped" });
    expect(seams.slept).toEqual([7, 7]);
    expect(turn.deltas).toHaveLength(3);
    expect(turn.events).toMatchObject([{ type: "assistant_message", text: "I am a" }]);
  });
});

describe("the form", () => {
  test("has every control that a form can have", async () => {
    await using demo = await openDemo();
    const { turn } = await runTurn(await demo.open(), PROMPTS.form, () => deny());
    const [request] = turn.requests;
    if (request?.kind !== "form") throw new Error("no form");
    const { properties } = formSchema.parse(request.form.schema);
    const kinds = Object.values(properties).map((field) => {
      if (field.type !== "string") return field.type;
      if ("enum" in field || "oneOf" in field) return field.control;
      if (field.sensitive) return "sensitive";
      return field.multiline ? "multiline" : (field.format ?? "text");
    });
    const every = [
      "array",
      "boolean",
      "date",
      "date-time",
      "email",
      "integer",
      "multiline",
      "number",
    ];
    expect(new Set(kinds)).toEqual(
      new Set([...every, "radio", "select", "sensitive", "text", "uri"]),
    );
  });

  test("[R-19] is answered with the entered values, without the secret", async () => {
    await using demo = await openDemo();
    const values = { host: "Ada", guests: 3, door: "open sesame" };
    const { text, told } = await runTurn(await demo.open(), PROMPTS.form, () => submit(values));
    expect(text).toContain('"host": "Ada"');
    expect(text + told.join("")).not.toContain("open sesame");
  });

  test("[R-5] is never filled with invented values when it is closed", async () => {
    await using demo = await openDemo();
    const { text } = await runTurn(await demo.open(), PROMPTS.form, () => ({
      outcome: "answered",
      response: { action: "cancel", reason: "Not today" },
    }));
    expect(text).toContain("> Not today");
  });
});

describe("a gateway tool", () => {
  test("is called for the session, and its result is quoted word for word", async () => {
    const calls: unknown[] = [];
    await using demo = await openDemo({
      callTool: async (call) => {
        calls.push(call);
        return { content: '{"status":"answered","answer":"2.0"}', isError: false };
      },
    });
    const { turn, text } = await runTurn(await demo.open(), PROMPTS.gatewayTool);
    const [call] = turn.events.filter(({ type }) => type === "tool_call");
    expect(calls).toEqual([
      {
        sessionId: "ses_1",
        toolCallId: call && "toolCallId" in call && call.toolCallId,
        name: "ask_user",
        args: expect.objectContaining({ question: expect.any(String) }),
      },
    ]);
    expect(text).toContain('"answer":"2.0"');
  });

  test("is reported when it is missing", async () => {
    await using demo = await openDemo();
    const { text, result } = await runTurn(await demo.open(), PROMPTS.gatewayTool);
    expect([text, result.reason]).toEqual([expect.stringContaining("no answer"), "done"]);
  });
});

describe("the tour", () => {
  test("writes the chosen option as its preview showed it, and ticks the checklist", async () => {
    await using demo = await openDemo();
    const { turn, text, result } = await runTurn(
      await demo.open(),
      PROMPTS.tour,
      chooseAndApprove(approve()),
    );
    expect(result).toEqual({ reason: "done" });
    expect(turn.requests.map(({ kind }) => kind)).toEqual([
      "question",
      "approval",
      "approval",
      "form",
    ]);
    expect(text).toContain('"channel": "Blog"');
    expect(turn.events).toContainEqual(
      expect.objectContaining({ type: "tool_call", toolName: "ask_user" }),
    );
    expect(text).toContain("```json");
    expect(text).toContain("1. two questions");
    const [questions] = turn.requests;
    if (questions?.kind !== "question") throw new Error("no questions");
    const preview = questions.questions[0]?.options[1]?.preview?.content ?? "";
    const notes = await demo.read("release-notes.md");
    expect(notes.startsWith(preview)).toBe(true);
    expect(notes).toContain("- [ ] Unit tests\n- [ ] Speed budget\n");
    expect(await demo.read("checklist.md")).toContain("- [x] Update the changelog");
  });

  test("shows the whole change before it is made", async () => {
    await using demo = await openDemo();
    const { turn } = await runTurn(await demo.open(), PROMPTS.tour, chooseAndApprove(approve()));
    const [write, edit] = approvalsOf(turn.requests);
    expect(write?.toolName).toBe("WriteFile");
    expect(write?.change).toEqual({
      path: demo.path("release-notes.md"),
      before: expect.stringContaining("A draft."),
      after: await demo.read("release-notes.md"),
    });
    expect(edit?.toolName).toBe("EditFile");
    expect(edit?.change).toEqual({
      path: demo.path("checklist.md"),
      before: expect.stringContaining("- [ ] Update the changelog"),
      after: await demo.read("checklist.md"),
    });
  });

  test("asks well-formed questions: one choice with previews, one with several ticks", async () => {
    await using demo = await openDemo();
    const { turn } = await runTurn(await demo.open(), PROMPTS.tour, () => deny());
    const [request] = turn.requests;
    if (request?.kind !== "question") throw new Error("no questions");
    const [single, multi] = request.questions.map((question) => questionSchema.parse(question));
    expect(single?.multiSelect).toBe(false);
    expect(single?.options.every(({ preview }) => preview?.format === "markdown")).toBe(true);
    expect(multi?.multiSelect).toBe(true);
    for (const { header } of request.questions) expect(header.length).toBeLessThanOrEqual(12);
  });

  test("writes the person's free text when it is the answer", async () => {
    await using demo = await openDemo();
    await runTurn(await demo.open(), PROMPTS.tour, ({ kind }) =>
      kind === "question"
        ? answer({ other: "# In my words" }, { selected: ["unit"], other: "Ask Ada" })
        : approve(),
    );
    const notes = await demo.read("release-notes.md");
    expect(notes.startsWith("# In my words\n")).toBe(true);
    expect(notes).toContain("- [ ] Unit tests\n- [ ] Ask Ada\n");
  });

  test("[R-5] invents no answer when no one gives one", async () => {
    await using demo = await openDemo();
    const { turn, text } = await runTurn(await demo.open(), PROMPTS.tour, () => ({
      outcome: "expired",
    }));
    expect(text).toContain("No one has answered yet");
    expect(approvalsOf(turn.requests).map(({ change }) => change?.path)).toEqual([
      demo.path("checklist.md"),
    ]);
    expect(await demo.read("release-notes.md")).toContain("A draft.");
    expect(await demo.read("checklist.md")).not.toContain("[x]");
  });
});

describe("an edit", () => {
  test("leaves the file when it is denied, and acknowledges the reason", async () => {
    await using demo = await openDemo();
    const { text, told } = await runTurn(await demo.open(), PROMPTS.edit, () => deny("Too early."));
    expect(text).toContain("> Too early.");
    expect(told).toEqual([expect.stringContaining("Too early.")]);
    expect(await demo.read("checklist.md")).not.toContain("[x]");
  });

  test("[R-6] runs with the person's changes, on the file system", async () => {
    await using demo = await openDemo();
    const { text } = await runTurn(await demo.open(), PROMPTS.edit, (request) =>
      approve({
        editedInput: { ...(request as Approval).input, replace: "- [x] Changed by hand" },
      }),
    );
    expect(await demo.read("checklist.md")).toContain("- [x] Changed by hand\n- [ ] Run the tests");
    expect(text).toContain("with your change");
  });

  test.each([
    ["outside its folder", { path: "../elsewhere.md" }],
    ["with an input that is no text", { replace: 7 }],
    ["whose text is not in the file", { find: "nowhere" }],
  ])("%s does not run, even if a person wrote it", async (_how, change) => {
    await using demo = await openDemo();
    const { text, turn, result } = await runTurn(await demo.open(), PROMPTS.edit, (request) =>
      approve({ editedInput: { ...(request as Approval).input, ...change } }),
    );
    expect(result).toEqual({ reason: "done" });
    expect(text).toContain("the edit did not work");
    expect(turn.events).toContainEqual(expect.objectContaining({ isError: true }));
    expect(await demo.read("checklist.md")).not.toContain("[x]");
  });

  test("[R-6] does not run if the file has changed since it was shown", async () => {
    await using demo = await openDemo();
    const { text } = await runTurn(await demo.open(), PROMPTS.edit, async () => {
      await writeFile(demo.path("checklist.md"), "- [ ] Update the changelog\n\nsomebody else's\n");
      return approve();
    });
    expect(text).toContain("the file has changed since");
    expect(await demo.read("checklist.md")).toContain("somebody else's");
  });

  test("continues through the list and starts over at its end", async () => {
    await using demo = await openDemo();
    const session = await demo.open();
    const tools: string[] = [];
    for (let count = 0; count < 6; count += 1) {
      const { turn } = await runTurn(session, PROMPTS.edit, () => approve());
      tools.push(turn.requests[0]?.toolName ?? "");
    }
    expect(tools).toEqual([
      "EditFile",
      "EditFile",
      "EditFile",
      "EditFile",
      "WriteFile",
      "EditFile",
    ]);
    expect((await demo.read("checklist.md")).match(/\[x\]/g)).toHaveLength(1);
  });
});

describe("an approval for the session", () => {
  test("covers its exact words: every edit in the folder, by either tool, and nothing of another session", async () => {
    await using demo = await openDemo();
    const session = await demo.open();
    const { turn } = await runTurn(session, PROMPTS.tour, chooseAndApprove(approve()));
    const other = await demo.adapter.openSession({
      sessionId: "ses_2",
      cwd: demo.folder,
      permissionMode: "default",
    });
    const elsewhere = await runTurn(other, PROMPTS.edit, () => deny());
    const [notes, checklist] = approvalsOf(turn.requests);
    expect(inEnglish(notes?.scopeText.session ?? "")).toContain(demo.folder);
    expect(notes).toMatchObject({ toolName: "WriteFile", grantFamily: "edit" });
    expect(checklist).toMatchObject({ toolName: "EditFile", grantFamily: "edit" });
    expect(checklist?.grantKey).toBe(notes?.grantKey);
    expect(approvalsOf(elsewhere.turn.requests)[0]?.grantKey).not.toBe(notes?.grantKey);
  });

  test("is distinguished from one that was asked for", async () => {
    await using demo = await openDemo();
    const { text } = await runTurn(await demo.open(), PROMPTS.edit, () =>
      approve({ approvalScope: "session", grantId: "gnt_1" }),
    );
    expect(text).toContain("as you allowed edits in my folder for this session");
    expect(await demo.read("checklist.md")).toContain("[x]");
  });
});

describe("the permission mode acceptEdits", () => {
  test("lets edits pass without asking", async () => {
    await using demo = await openDemo();
    const session = await demo.open({ permissionMode: "acceptEdits" });
    const { turn, text } = await runTurn(session, PROMPTS.edit);
    expect(turn.requests).toEqual([]);
    expect(text).toContain("permission mode");
    expect(await demo.read("checklist.md")).toContain("[x]");
  });

  test("takes effect inside a running turn, and can be undone", async () => {
    await using demo = await openDemo();
    const session = await demo.open();
    const { turn } = await runTurn(session, PROMPTS.tour, async (request) => {
      if (request.kind === "question") await session.setPermissionMode("acceptEdits");
      return chooseAndApprove(approve())(request);
    });
    expect(approvalsOf(turn.requests)).toEqual([]);
    await session.setPermissionMode("default");
    const { turn: later } = await runTurn(session, PROMPTS.edit, () => deny());
    expect(later.requests).toHaveLength(1);
  });
});

describe("three things at once", () => {
  test("all wait at the same time, and each gets its answer, in any order", async () => {
    await using demo = await openDemo();
    const waiting = new Map<string, (outcome: ScriptedOutcome) => void>();
    const { turn, text, result } = await runTurn(
      await demo.open(),
      PROMPTS.threeThings,
      ({ toolCallId, kind, toolName }) => {
        const { promise, resolve } = Promise.withResolvers<ScriptedOutcome>();
        waiting.set(kind === "question" ? kind : toolName, resolve);
        if (waiting.size === 3) {
          waiting.get("WriteFile")?.(approve());
          waiting.get("EditFile")?.(deny("Not this one."));
          waiting.get("question")?.(answer({ selected: ["story"] }, {}));
        }
        expect(toolCallId).toBeTruthy();
        return promise;
      },
    );
    expect(result).toEqual({ reason: "done" });
    expect(new Set(turn.requests.map(({ toolCallId }) => toolCallId)).size).toBe(3);
    expect(text).toContain("> Not this one.");
    expect(text).toContain("Short story");
    expect(await demo.read("visits.md")).toContain("1 so far");
    expect(await demo.read("checklist.md")).not.toContain("[x]");
  });

  test("are all given up when the gateway fails at one, and the turn ends after that", async () => {
    await using demo = await openDemo();
    const session = await demo.open();
    const turn = createRecordingTurn({
      script: ({ kind }) => {
        if (kind === "question") throw new Error("The store is closed.");
        return new Promise<never>(() => undefined);
      },
    });
    const message = { messageId: "msg_user", content: PROMPTS.threeThings };
    const result = await session.runTurn(message, turn);
    turn.end();
    expect(result).toMatchObject({ reason: "error", message: "The store is closed." });
    expect(turn.entries.filter(({ kind }) => kind === "held")).toHaveLength(2);
    await Promise.resolve();
    expect(turn.lateEntries).toEqual([]);
  });
});

describe("a late response", () => {
  const base = {
    interactionId: "int_1",
    sessionId: "ses_1",
    turnId: "trn_1",
    toolCallId: "call_1",
    status: "answered",
    attempt: 1,
    presentation: "tool",
    startedAt: "2026-01-01T00:00:00.000Z",
    onTimeout: "wait",
    hold: "held",
  } as const;

  test("to a question is recognised and quoted", async () => {
    await using demo = await openDemo();
    const content = lateResponseMessage({
      ...base,
      toolName: "AskQuestions",
      kind: "question",
      questions: [{ id: "q", header: "Tea", question: "Tea?", multiSelect: false, options: [] }],
      response: { action: "submit", answers: [{ questionId: "q", selected: [], other: "Mint" }] },
    });
    const { text, turn } = await runTurn(await demo.open(), content);
    expect(text).toContain("although it is late");
    expect(text).toContain("Mint");
    expect(turn.requests).toEqual([]);
  });

  test("runs nothing, even as an approval", async () => {
    const ran: unknown[] = [];
    await using demo = await openDemo({ onToolRun: (call) => ran.push(call) });
    const content = lateResponseMessage({
      ...base,
      toolName: "EditFile",
      kind: "approval",
      approval: {
        input: { path: "x" },
        cwd: "/",
        display: {},
        digest: "d",
        scopes: ["once"],
        scopeText: {},
        editable: true,
      },
      response: { action: "approve" },
    });
    const { text } = await runTurn(await demo.open(), content);
    expect(text).toContain("> Decision: approved.");
    expect(text).toContain("nothing has run because of it");
    expect(ran).toEqual([]);
  });
});

import type { PermissionUpdate } from "@anthropic-ai/claude-agent-sdk";
import type { HoldRequest, HoldResult } from "@holdpoint/engine";
import { type InteractionResponse, saying } from "@holdpoint/protocol";
import { describe, expect, test, vi } from "vitest";

import { decideToolUse } from "./can-use-tool.ts";
import type { Decision, ToolAskFacts } from "./tool-ask.ts";

const suggestions: PermissionUpdate[] = [
  {
    type: "addRules",
    behavior: "allow",
    destination: "localSettings",
    rules: [{ toolName: "Bash", ruleContent: "ls" }],
  },
];
const input = { command: "ls" };

interface Decided {
  readonly decision: Decision;
  readonly request: HoldRequest | undefined;
  readonly handedOver: number;
}

async function decide(
  hold: (request: HoldRequest) => HoldResult | Promise<HoldResult>,
  about: Partial<ToolAskFacts> = {},
  ask: { toolName?: string; input?: Record<string, unknown> } = {},
): Promise<Decided> {
  let request: HoldRequest | undefined;
  const handingOver = vi.fn<(delivered: () => Promise<void>) => void>();
  const { signal } = new AbortController();
  const decision = await decideToolUse(
    { toolName: "Bash", input, about: { toolUseID: "toolu_1", signal, ...about }, ...ask },
    {
      cwd: "/work",
      mode: "default",
      async hold(asked) {
        request = asked;
        return hold(asked);
      },
      handingOver,
    },
  );
  return { decision, request, handedOver: handingOver.mock.calls.length };
}

const answered = (response: InteractionResponse, stored?: Record<string, unknown>): HoldResult => ({
  outcome: "answered",
  interactionId: "int_1",
  response,
  ...(stored && { input: stored }),
  delivered: () => Promise.resolve(),
});
const allow = (scope?: "once" | "session" | "always") =>
  answered({ action: "approve", ...(scope && { approvalScope: scope }) }, input);

describe("the card of a request", () => {
  test("shows everything that the runtime reports", async () => {
    const { request } = await decide(
      () => allow(),
      {
        title: "Claude wants to list",
        displayName: "List",
        description: "Lists",
        decisionReason: "A rule.",
        blockedPath: "/etc",
        mcpServer: { name: "files", source: "user" },
        agentID: "agent_1",
        matchedAskRule: { source: "userSettings", toolName: "Bash", ruleContent: "ls" },
        defaultToNo: true,
        suggestions,
      },
      { input: { ...input, description: "Lists" } },
    );
    expect(request).toMatchObject({
      kind: "approval",
      toolCallId: "toolu_1",
      agentId: "agent_1",
      input: { ...input, description: "Lists" },
      display: {
        title: "Claude wants to list",
        description: "Lists",
        reason: "A rule. The rule Bash(ls) (userSettings) requires asking about this.",
        blockedPath: "/etc",
        server: "files",
      },
      scopes: ["once"],
      editable: true,
      defaultToDeny: true,
    });
  });

  test.each<[string, Partial<ToolAskFacts>, Record<string, unknown>]>([
    ["its path", { description: "src/a.ts" }, { file_path: "/work/src/a.ts" }],
    ["its command", { description: "ls" }, input],
    ["its address", { description: "https://example.com" }, { url: "https://example.com" }],
    ["a text of the runtime", { description: "List files" }, { ...input, description: "Lists" }],
    ["no reason", { decisionReason: "This command requires approval" }, input],
    ["no reason", { decisionReason: "Claude requested permissions to use Bash" }, input],
    ["a path in the folder", { blockedPath: "/work/ran.txt" }, input],
    ["a path in a subfolder", { blockedPath: "/work/..a/b.txt" }, input],
    ["the folder itself", { blockedPath: "/work" }, input],
  ])(
    "shows no text of the agent's, and nothing outside, when it is %s",
    async (_, about, input) => {
      const { request } = await decide(() => allow(), about, { input });
      expect(request).toMatchObject({ display: {} });
      expect(Object.keys((request as { display: object }).display)).toEqual([]);
    },
  );

  test.each(["/etc/hosts", "/works/a.txt", "/work/../up.txt"])(
    "shows that %s is outside",
    async (blockedPath) => {
      const { request } = await decide(() => allow(), { blockedPath });
      expect(request).toMatchObject({ display: { blockedPath } });
    },
  );

  test("offers what the gateway can remember", async () => {
    const { request } = await decide(() => allow(), { suggestions });
    expect(request).toMatchObject({
      scopes: ["once", "session", "always"],
      scopeText: {
        session: [saying("covers_command", { command: "ls" }), { code: "in_session_at" }],
      },
      grantKey: expect.stringContaining("Bash(ls)") as string,
    });
  });

  test("leaves out a change that would make the request too large", async () => {
    const content = "x".repeat(130 * 1024);
    const ask = { toolName: "Write", input: { file_path: "/nowhere/new.txt", content } };
    const small = { ...ask, input: { ...ask.input, content: "x" } };
    expect((await decide(() => allow(), {}, ask)).request).not.toHaveProperty("change");
    expect((await decide(() => allow(), {}, small)).request).toHaveProperty("change");
  });
});

describe("a decision", () => {
  test("[R-6] allows the stored input and nothing else", async () => {
    const stored = { command: "ls -l" };
    const { decision, handedOver } = await decide(() => answered({ action: "approve" }, stored));
    expect(decision).toEqual({ behavior: "allow", updatedInput: stored });
    expect(handedOver).toBe(1);
  });

  test.each(["session", "always"] as const)(
    "for longer (%s) gives the runtime no rule, since the gateway remembers it",
    async (scope) => {
      const { decision } = await decide(() => allow(scope), { suggestions });
      expect(decision).toEqual({ behavior: "allow", updatedInput: input });
    },
  );

  test("[R-11] changes the mode only where that was offered and chosen", async () => {
    const setMode = { type: "setMode", mode: "acceptEdits", destination: "session" } as const;
    const ask = { toolName: "ExitPlanMode", input: { plan: "Step one" } };
    const about = { suggestions: [setMode] };
    const session = await decide(() => allow("session"), about, ask);
    expect(session.decision).toMatchObject({ updatedPermissions: [setMode] });
    for (const scope of ["once", "always"] as const) {
      const { decision } = await decide(() => allow(scope), about, ask);
      expect(decision).not.toHaveProperty("updatedPermissions");
    }
  });

  test("tells the model why it was denied, and ends the turn if the person chose that", async () => {
    const denied = await decide(() => answered({ action: "deny", reason: " Too risky " }));
    expect(denied.decision).toEqual({
      behavior: "deny",
      message: "The user denied this use of Bash: Too risky",
    });
    const stopped = await decide(() => answered({ action: "deny", stopTurn: true }));
    expect(stopped.decision).toMatchObject({ behavior: "deny", interrupt: true });
  });

  test.each<[string, HoldResult | Error]>([
    ["an approval without a stored input", answered({ action: "approve" })],
    ["a cancel", answered({ action: "cancel" }, input)],
    ["a response that decides nothing", answered({ action: "submit" }, input)],
    ["an expiry", { outcome: "expired", interactionId: "int_1", takesLateAnswer: true }],
    ["a withdrawal", { outcome: "withdrawn", reason: "Too many are waiting." }],
    ["an error", new Error("The store is gone.")],
    ["an error without a message", new Error("")],
  ])("[R-5] denies after %s, with a message for the model", async (_, outcome) => {
    const { decision } = await decide(() => {
      if (outcome instanceof Error) throw outcome;
      return outcome;
    });
    expect(decision).toEqual({ behavior: "deny", message: expect.stringMatching(/Bash/u) });
  });

  test("[R-5] tells the model after an expiry whether a late answer is possible", async () => {
    const expired = (takesLateAnswer: boolean) =>
      decide(() => ({ outcome: "expired", interactionId: "int_1", takesLateAnswer }));
    expect((await expired(true)).decision).toMatchObject({
      message: expect.stringMatching(/^No answer yet.*may still answer later/su),
    });
    expect((await expired(false)).decision).toMatchObject({
      message: expect.stringMatching(/^No answer yet.*is closed/su),
    });
  });
});

describe("a question", () => {
  const questions = [
    {
      question: "Which?",
      header: "W",
      multiSelect: false,
      options: [{ label: "A" }, { label: "B" }],
    },
  ];
  const ask = { toolName: "AskUserQuestion", input: { questions } };

  test("is held as a question and answered through the tool's input", async () => {
    const response = {
      action: "submit" as const,
      answers: [{ questionId: "q1", selected: ["q1o2"] }],
    };
    const { decision, request, handedOver } = await decide(() => answered(response), {}, ask);
    expect(request).toMatchObject({ kind: "question", questions: [{ id: "q1" }] });
    expect(decision).toEqual({
      behavior: "allow",
      updatedInput: { questions, answers: { "Which?": "B" } },
    });
    expect(handedOver).toBe(1);
  });

  test.each<[string, HoldResult]>([
    ["an approval", answered({ action: "approve" }, {})],
    ["a denial", answered({ action: "deny", reason: "No" })],
    [
      "an unknown option",
      answered({ action: "submit", answers: [{ questionId: "q1", selected: ["x"] }] }),
    ],
    ["an expiry", { outcome: "expired", interactionId: "int_1", takesLateAnswer: true }],
  ])("[R-5] has no answer after %s", async (_, outcome) => {
    const { decision } = await decide(() => outcome, {}, ask);
    expect(decision.behavior).toBe("deny");
  });

  test("is not held if it cannot be answered", async () => {
    const twice = { ...ask, input: { questions: [...questions, ...questions] } };
    const { decision, request } = await decide(() => allow(), {}, twice);
    expect(request).toBeUndefined();
    expect(decision).toMatchObject({
      behavior: "deny",
      message: expect.stringContaining("same text"),
    });
  });
});

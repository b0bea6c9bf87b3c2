import { readTerminalResult, readTerminalRun, sayIn } from "@holdpoint/protocol";
import { GERMAN_SAYINGS } from "@holdpoint/protocol/german";
import { describe, expect, test } from "vitest";

import {
  ada,
  command,
  openTerminalScene,
  outputOf,
  prompt,
  type TerminalScene,
} from "../testing/terminal-scene.ts";

test("[R-6] the hook gets exactly the input that was shown, and the runtime's suggestion for longer", async () => {
  const scene = await openTerminalScene();
  const rule = { toolName: "Bash", ruleContent: "rm *" };
  const suggestion = {
    type: "addRules",
    rules: [rule],
    behavior: "allow",
    destination: "localSettings",
  };
  expect(scene.asks.ask("a-1", prompt({ permission_suggestions: [suggestion] }))).toBe(true);
  const [card] = await scene.pending();
  expect(card?.approval?.scopes).toEqual(["once", "session", "always"]);
  expect(card?.approval?.scopeText).toEqual({
    session: "Every call of the rule Bash(rm *). Until the session in the terminal ends.",
    always:
      "Every call of the rule Bash(rm *). Kept by Claude Code in the settings of this project on this machine.",
  });
  expect(sayIn(card?.approval?.said?.["session"] ?? [], GERMAN_SAYINGS, { tag: "de" })).toBe(
    "Jeder Aufruf nach der Regel Bash(rm *). Bis die Sitzung im Terminal endet.",
  );
  await scene.respond(card!, { action: "approve", approvalScope: "session" });
  expect(await outputOf(scene, "a-1")).toEqual({
    hookSpecificOutput: {
      hookEventName: "PermissionRequest",
      decision: {
        behavior: "allow",
        updatedInput: { command },
        updatedPermissions: [{ ...suggestion, destination: "session" }],
      },
    },
  });
  expect((await scene.interaction(card!.interactionId)).status).toBe("delivered");
  const { items } = await scene.gateway.listGrants(ada, { limit: 10 });
  expect(items).toEqual([]);
  // The key by which a page identifies it.
  const log = await scene.gateway.readEvents(ada, card!.sessionId, { after: 0, limit: 100 });
  const result = log.items.find((event) => event.type === "tool_result");
  expect(readTerminalResult(result?.content ?? "")).toBe("allow");
});

test.each([
  [
    "takes rules away",
    {
      type: "removeRules",
      rules: [{ toolName: "Bash" }],
      behavior: "deny",
      destination: "session",
    },
  ],
  ["is unknown", { type: "trustEverything", destination: "session" }],
  ["lets everything pass", { type: "setMode", mode: "bypassPermissions", destination: "session" }],
  [
    "allows an empty list",
    { type: "addRules", rules: [], behavior: "allow", destination: "session" },
  ],
])("[R-5] a suggestion that %s is not offered", async (_name, suggestion) => {
  const scene = await openTerminalScene();
  scene.asks.ask("a-1", prompt({ permission_suggestions: [suggestion] }));
  const [card] = await scene.pending();
  expect(card?.approval?.scopes).toEqual(["once"]);
});

test("[R-15] two terminals in one folder are two sessions, and an event of one closes nothing in the other", async () => {
  const scene = await openTerminalScene();
  scene.asks.ask("a-1", prompt());
  scene.asks.ask("b-1", prompt({ session_id: "two" }));
  const cards = await scene.pending();
  expect(new Set(cards.map(({ sessionId }) => sessionId)).size).toBe(2);
  const forged = prompt({ hook_event_name: "PostToolUse", session_id: "three" });
  scene.asks.tell(forged);
  scene.asks.tell({ ...forged, session_id: "one", tool_input: { command: "ls" } });
  expect(await scene.pending()).toHaveLength(2);
  scene.asks.tell({ ...forged, session_id: "one", tool_input: { command } });
  expect(await scene.pending()).toHaveLength(1);
  expect(await outputOf(scene, "a-1")).toEqual({});
  scene.asks.tell({ hook_event_name: "SessionEnd", session_id: "two" });
  expect(await scene.pending()).toEqual([]);
  const closed = await Promise.all(cards.map((card) => scene.interaction(card.interactionId)));
  expect(new Set(closed.map(({ closedReason }) => closedReason))).toEqual(
    new Set(["Answered in the terminal.", "The session in the terminal has ended."]),
  );
});

test("[R-5] a denial that ends the turn interrupts the terminal's agent, with the reason", async () => {
  const scene = await openTerminalScene();
  scene.asks.ask("a-1", prompt());
  const [card] = await scene.pending();
  await scene.respond(card!, { action: "deny", reason: "Not today.", stopTurn: true });
  expect(await outputOf(scene, "a-1")).toMatchObject({
    hookSpecificOutput: {
      decision: {
        behavior: "deny",
        message: expect.stringContaining("Not today."),
        interrupt: true,
      },
    },
  });
});

test("[R-5] a repeated hook is one request, is refused with another input, and never gets an old answer", async () => {
  const scene = await openTerminalScene();
  expect(scene.asks.ask("a-1", prompt())).toBe(true);
  expect(scene.asks.ask("a-1", prompt())).toBe(true);
  expect(scene.asks.ask("a-1", prompt({ tool_input: { command: "rm -rf /" } }))).toBe(false);
  const [card, ...others] = await scene.pending();
  expect(others).toEqual([]);
  await scene.respond(card!, { action: "approve", approvalScope: "once" });
  expect(await outputOf(scene, "a-1")).toMatchObject({ hookSpecificOutput: {} });
  expect(scene.asks.visit("a-1")).toBeUndefined();
  scene.asks.ask("a-1", prompt());
  const [second] = await scene.pending();
  expect(second?.interactionId).not.toBe(card?.interactionId);
});

test("[R-18] a request is withdrawn when its hook no longer waits", async () => {
  const scene = await openTerminalScene();
  scene.asks.ask("a-1", prompt());
  expect(await scene.pending()).toHaveLength(1);
  scene.asks.visit("a-1")?.lost();
  expect(await scene.pending()).toEqual([]);
  scene.asks.ask("a-2", prompt());
  expect(await scene.pending()).toHaveLength(1);
  await scene.clock.advance(5000);
  expect(await scene.pending()).toEqual([]);
});

test("[R-5] an answer that its hook never fetched is not reported as delivered", async () => {
  const scene = await openTerminalScene();
  scene.asks.ask("a-1", prompt());
  const [card] = await scene.pending();
  const visit = scene.asks.visit("a-1");
  await scene.respond(card!, { action: "approve", approvalScope: "once" });
  visit?.lost();
  await scene.clock.settle();
  expect(await scene.interaction(card!.interactionId)).toMatchObject({
    failure: expect.stringContaining("stopped") as string,
  });
});

test("[R-20] an invalid prompt is refused, and leaves nothing", async () => {
  const scene = await openTerminalScene();
  const wrong = [
    undefined,
    null,
    7,
    [],
    {},
    prompt({ session_id: 7 }),
    prompt({ session_id: "x".repeat(300) }),
    prompt({ cwd: "" }),
    prompt({ tool_input: [] }),
    prompt({ tool_name: "" }),
    prompt({ hook_event_name: "PreToolUse" }),
  ];
  for (const body of wrong) {
    expect(scene.asks.ask("a-1", body)).toBe(false);
    scene.asks.tell(body);
  }
  expect(await scene.pending()).toEqual([]);
  scene.asks.ask("a-2", prompt({ tool_input: { command: "x".repeat(600_000) } }));
  expect(await scene.pending()).toEqual([]);
  expect(await outputOf(scene, "a-2")).toEqual({});
});

const reason = "It deletes what it has not made.";
const refusal = { hook_event_name: "PermissionDenied", tool_use_id: "toolu_1", reason };
const retry = { hookSpecificOutput: { hookEventName: "PermissionDenied", retry: true } };

/** The hook's output for a call that is about to run. */
async function passOf(
  scene: TerminalScene,
  fields: Record<string, unknown> = {},
): Promise<unknown> {
  return JSON.parse(await scene.asks.pass(prompt({ hook_event_name: "PreToolUse", ...fields })));
}

/** A classifier has refused a call, and a person approves or denies it. */
async function refuse(scene: TerminalScene, action: "approve" | "deny"): Promise<unknown> {
  scene.asks.ask("a-1", prompt(refusal));
  const [card] = await scene.pending();
  await scene.respond(card!, { action, ...(action === "approve" && { approvalScope: "once" }) });
  return outputOf(scene, "a-1");
}

test("[R-6] a call that a classifier refused and a person allows passes once, and no other call does", async () => {
  const scene = await openTerminalScene();
  const suggestion = { type: "setMode", mode: "acceptEdits", destination: "session" };
  scene.asks.ask("a-1", prompt({ ...refusal, permission_suggestions: [suggestion] }));
  const [card] = await scene.pending();
  expect(card).toMatchObject({
    onTimeout: "deny",
    approval: {
      input: { command },
      scopes: ["once"],
      editable: false,
      defaultToDeny: true,
      display: { reason: `The automatic mode refused this call. ${reason}` },
    },
  });
  expect(await passOf(scene)).toEqual({});
  await scene.respond(card!, { action: "approve", approvalScope: "once" });
  expect(await outputOf(scene, "a-1")).toEqual(retry);
  const others = [
    { tool_input: { command: "rm -rf /" } },
    { tool_input: { command, dangerouslyDisableSandbox: true } },
    { tool_name: "Shell" },
    { cwd: "/work" },
    { session_id: "two" },
    { agent_id: "sub" },
    { hook_event_name: "PermissionDenied" },
  ];
  for (const fields of others) expect(await passOf(scene, fields)).toEqual({});
  const both = await Promise.all([passOf(scene), passOf(scene)]);
  expect(both).toContainEqual({
    hookSpecificOutput: expect.objectContaining({
      permissionDecision: "allow",
      updatedInput: { command },
    }) as unknown,
  });
  expect(both).toContainEqual({});
  expect(await passOf(scene)).toEqual({});
  // Its run has not been reported yet.
  expect(await scene.marks()).toEqual([expect.stringMatching(/\.allowed$/u)]);
});

test("[R-5] a call that a classifier refused stays refused after a no, and when no one answers in time", async () => {
  const scene = await openTerminalScene();
  expect(await refuse(scene, "deny")).toEqual({});
  scene.asks.ask("a-2", prompt(refusal));
  const [card] = await scene.pending();
  const visit = scene.asks.visit("a-2");
  await scene.clock.advance(10 * 60 * 1000);
  expect(JSON.parse((await visit?.output) ?? "null")).toBeNull();
  visit?.left();
  expect(await outputOf(scene, "a-2")).toEqual({});
  expect((await scene.interaction(card!.interactionId)).status).toBe("expired");
  expect(await passOf(scene)).toEqual({});
});

test("[R-5] a pass ends with its turn, with its time, or if no hook has fetched the yes", async () => {
  const scene = await openTerminalScene();
  expect(await refuse(scene, "approve")).toEqual(retry);
  scene.asks.tell({ hook_event_name: "Stop", session_id: "two" });
  expect(await scene.marks()).toHaveLength(1);
  scene.asks.tell({ hook_event_name: "Stop", session_id: "one" });
  await expect.poll(() => scene.marks()).toEqual([]);
  expect(await passOf(scene)).toEqual({});
  expect(await refuse(scene, "approve")).toEqual(retry);
  await scene.clock.advance(10 * 60 * 1000);
  expect(await passOf(scene)).toEqual({});
  scene.asks.ask("a-2", prompt(refusal));
  const [card] = await scene.pending();
  const visit = scene.asks.visit("a-2");
  await scene.respond(card!, { action: "approve", approvalScope: "once" });
  visit?.lost();
  await expect.poll(() => scene.marks()).toEqual([]);
});

test("[R-1] a call denied here that ran after a yes in the terminal is reported as run", async () => {
  const scene = await openTerminalScene();
  const deny = async (id: string): Promise<string> => {
    scene.asks.ask(id, prompt());
    const [card] = await scene.pending();
    await scene.respond(card!, { action: "deny" });
    expect(await outputOf(scene, id)).toMatchObject({ hookSpecificOutput: {} });
    return card!.interactionId;
  };
  const how = async (id: string) => (await scene.interaction(id)).how;
  const ran = prompt({ hook_event_name: "PostToolUse" });
  const first = await deny("a-1");
  scene.asks.tell({ ...ran, session_id: "two" });
  scene.asks.tell({ ...ran, tool_input: { command: "ls" } });
  await scene.clock.settle();
  expect(await how(first)).toBe("resumed");
  scene.asks.tell(ran);
  await expect.poll(() => how(first)).toBe("overruled");
  expect(await scene.marks()).toEqual([]);
  // Asked again, it is a different call; and after the turn none of it can run.
  const second = await deny("a-2");
  scene.asks.ask("a-3", prompt());
  const [again] = await scene.pending();
  await scene.respond(again!, { action: "approve", approvalScope: "once" });
  await outputOf(scene, "a-3");
  await expect.poll(() => scene.marks()).toEqual([expect.stringMatching(/\.allowed$/u)]);
  scene.asks.tell(ran);
  const third = await deny("a-4");
  scene.asks.tell({ hook_event_name: "Stop", session_id: "one" });
  await expect.poll(() => scene.marks()).toEqual([]);
  scene.asks.tell(ran);
  await scene.clock.settle();
  expect(await Promise.all([second, third].map(how))).toEqual(["resumed", "resumed"]);
  expect(scene.errors).toEqual([]);
});

describe("the run of a call that was asked about", () => {
  const post = (fields: Record<string, unknown> = {}, name = "PostToolUse") =>
    prompt({ hook_event_name: name, tool_response: { stdout: "one" }, ...fields });
  /** By the results in the log, the oldest first. */
  const resultsOf = async ({ gateway }: TerminalScene, sessionId: string) => {
    const { items } = await gateway.readEvents(ada, sessionId, { after: 0, limit: 100 });
    return items.flatMap((event) => (event.type === "tool_result" ? [event] : []));
  };
  const allow = async (scene: TerminalScene, body: Record<string, unknown> = {}) => {
    scene.asks.ask("a-1", prompt());
    const [card] = await scene.pending();
    await scene.respond(card!, { action: "approve", approvalScope: "once", ...body });
    await outputOf(scene, "a-1");
    return card!.sessionId;
  };

  test.each([
    ["succeeded", post(), { isError: false }],
    [
      "failed",
      post({ error: "Exit code 2\nboom" }, "PostToolUseFailure"),
      { isError: true, exitCode: 2 },
    ],
    ["failed without a code", post({ error: "boom" }, "PostToolUseFailure"), { isError: true }],
    [
      "reported its code",
      post({ tool_response: { exit_code: 3 } }),
      { isError: true, exitCode: 3 },
    ],
  ])("is reported once its terminal reports that it %s", async (_, event, run) => {
    const scene = await openTerminalScene();
    const sessionId = await allow(scene);
    scene.asks.tell(event);
    scene.asks.tell(event);
    await expect.poll(async () => (await resultsOf(scene, sessionId)).length).toBe(2);
    const results = await resultsOf(scene, sessionId);
    expect(results.map(({ toolCallId }) => toolCallId)).toEqual([
      results[0]!.toolCallId,
      results[0]!.toolCallId,
    ]);
    expect(results[1]!.turnId).toBe(results[0]!.turnId);
    expect(readTerminalRun(results[1]!.content)).toEqual(run);
    expect(results[1]!.isError).toBe(run.isError);
    expect(await scene.marks()).toEqual([]);
    expect(scene.errors).toEqual([]);
  });

  test("[R-6] is the changed input's, if a person has changed it", async () => {
    const scene = await openTerminalScene();
    const edited = { command: "echo edited" };
    const sessionId = await allow(scene, { editedInput: edited });
    scene.asks.tell(post());
    await scene.clock.settle();
    expect(await resultsOf(scene, sessionId)).toHaveLength(1);
    scene.asks.tell(post({ tool_input: edited }));
    await expect.poll(async () => (await resultsOf(scene, sessionId)).length).toBe(2);
  });

  test("is reported for a call that was answered in the terminal", async () => {
    const scene = await openTerminalScene();
    scene.asks.ask("a-1", prompt());
    const [card] = await scene.pending();
    scene.asks.tell(post());
    await outputOf(scene, "a-1");
    await expect.poll(async () => (await resultsOf(scene, card!.sessionId)).length).toBe(2);
    const [answered, ran] = await resultsOf(scene, card!.sessionId);
    expect(answered!.content).toBe("Answered in the terminal.");
    expect(readTerminalRun(ran!.content)).toEqual({ isError: false });
  });

  test("is not reported for another session, another call, or after the turn", async () => {
    const scene = await openTerminalScene();
    const sessionId = await allow(scene);
    scene.asks.tell(post({ session_id: "two" }));
    scene.asks.tell(post({ tool_input: { command: "ls" } }));
    scene.asks.tell({ hook_event_name: "Stop", session_id: "one" });
    await expect.poll(() => scene.marks()).toEqual([]);
    scene.asks.tell(post());
    await scene.clock.settle();
    expect(await resultsOf(scene, sessionId)).toHaveLength(1);
  });
});

test("a session in a terminal works, waits, is idle and ends as its hooks report, and when its process is gone", async () => {
  const scene = await openTerminalScene();
  const tell = async (name: string, fields: Record<string, unknown> = {}, pid = 1) => {
    scene.asks.tell(
      { hook_event_name: name, session_id: "one", cwd: "/work/shop", ...fields },
      pid,
    );
    await scene.clock.settle();
    const { items } = await scene.gateway.listSessions(ada, { limit: 10 });
    return items.map(({ status, title, endedAt }) =>
      [title, status, ...(endedAt === undefined ? [] : ["ended"])].join(" "),
    );
  };
  expect(await tell("SessionEnd")).toEqual([]);
  expect(await tell("UserPromptSubmit")).toEqual(["shop running"]);
  expect(await tell("UserPromptSubmit")).toEqual(["shop running"]);
  scene.asks.ask("a-1", prompt());
  const [card] = await scene.pending();
  expect(await tell("SubagentStop", { agent_id: "sub" })).toEqual(["shop waiting"]);
  await scene.respond(card!, { action: "approve", approvalScope: "once" });
  await outputOf(scene, "a-1");
  expect(await tell("PostToolUse")).toEqual(["shop running"]);
  expect(await tell("Stop", { agent_id: "sub" })).toEqual(["shop running"]);
  expect(await tell("Stop")).toEqual(["shop idle"]);
  expect(await tell("UserPromptSubmit")).toEqual(["shop running"]);
  expect(await tell("SessionEnd")).toEqual(["shop idle ended"]);
  // Resumed in another process, which dies without a message.
  expect(await tell("UserPromptSubmit", {}, 7)).toEqual(["shop running"]);
  await scene.clock.advance(10_000);
  expect(await tell("PostToolUse")).toEqual(["shop idle ended"]);
  // Between the two lies nothing.
  scene.asks.tell({ hook_event_name: "UserPromptSubmit", session_id: "one", cwd: "/work/shop" });
  expect(await tell("SessionEnd")).toEqual(["shop idle ended"]);
  scene.asks[Symbol.dispose]();
  expect(scene.errors).toEqual([]);
});

test("[R-14] [R-20] 1,200 sessions with five calls each leave only the thousand allowed ones behind", async () => {
  const scene = await openTerminalScene();
  for (let index = 0; index < 1200; index += 1) {
    const one = { session_id: `s${index}`, cwd: `/work/${index}` };
    scene.asks.tell({ ...one, hook_event_name: "UserPromptSubmit" });
    scene.asks.tell({ ...one, hook_event_name: "Stop" });
    for (let call = 0; call < 5; call += 1) {
      scene.asks.tell(prompt({ ...one, hook_event_name: "PostToolUse" }));
    }
    scene.asks.tell({ ...one, hook_event_name: "SessionEnd" });
    if (index % 100 === 0) await scene.clock.settle();
  }
  await scene.clock.settle();
  expect(await scene.marks()).toEqual([]);
  expect(scene.errors).toEqual([]);
  const { items } = await scene.gateway.listSessions(ada, { limit: 1200 });
  expect(items.length).toBeGreaterThan(900);
  expect(items.length).toBeLessThanOrEqual(1000);
});

test("[R-20] a terminal beyond the limit removes the oldest ended one, and otherwise runs as if without a hook", async () => {
  const scene = await openTerminalScene({ limits: { sessionsElsewhere: 3 } });
  const tell = async (hook_event_name: string, name: string) => {
    scene.asks.tell({ hook_event_name, session_id: name, cwd: `/work/${name}` });
    await scene.clock.settle();
  };
  const ask = async (id: string, name: string) => {
    scene.asks.ask(id, prompt({ session_id: name, cwd: `/work/${name}` }));
    return (await scene.pending()).at(-1);
  };
  const listed = async () => {
    const { items } = await scene.gateway.listSessions(ada, { limit: 100 });
    return items.map(({ title }) => title).toSorted();
  };
  const answered = await ask("a-1", "answered");
  await scene.respond(answered!, { action: "deny" });
  await outputOf(scene, "a-1");
  await tell("SessionEnd", "answered");
  const open = await ask("a-2", "open");
  await tell("UserPromptSubmit", "working");
  for (const id of ["a-3", "a-4"]) {
    expect((await ask(id, "more"))?.interactionId).toBe(open?.interactionId);
    expect(await outputOf(scene, id)).toEqual({});
    await tell("UserPromptSubmit", "more");
  }
  expect(await listed()).toEqual(["answered", "open", "working"]);
  expect(scene.errors).toEqual([expect.objectContaining({ code: "NO_ROOM" })]);
  // The mark of an answered call stays for a day; without a request, the end is enough.
  await tell("SessionEnd", "working");
  await scene.clock.advance(10_000);
  expect(await ask("a-5", "more")).not.toMatchObject({ interactionId: open?.interactionId });
  expect(await listed()).toEqual(["answered", "more", "open"]);
  await scene.clock.advance(24 * 60 * 60 * 1000);
  await tell("UserPromptSubmit", "next");
  expect(await listed()).toEqual(["more", "next", "open"]);
  expect(scene.errors).toHaveLength(1);
});

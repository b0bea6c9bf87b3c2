import { expect, test } from "vitest";

import {
  ada,
  command,
  openTerminalScene,
  outputOf,
  prompt,
  type TerminalScene,
} from "../testing/terminal-scene.ts";

/** A prompt of Codex, with a suggestion as Claude Code would make it. */
async function ask(scene: TerminalScene, id: string) {
  const rules = [{ toolName: "Bash" }];
  const suggestion = { type: "addRules", rules, behavior: "allow", destination: "session" };
  expect(scene.asks.ask(id, prompt({ permission_suggestions: [suggestion] }), "codex")).toBe(true);
  const [card] = await scene.pending();
  return card!;
}

function decided(decision: Record<string, unknown>): unknown {
  return { hookSpecificOutput: { hookEventName: "PermissionRequest", decision } };
}

test("[R-6] Codex gets a plain yes, without fields that it would take as a failed hook", async () => {
  const scene = await openTerminalScene();
  const card = await ask(scene, "a-1");
  expect(card.approval).toMatchObject({ input: { command }, scopes: ["once"], editable: false });
  const { agent } = await scene.gateway.getSession(ada, card.sessionId);
  expect(agent).toBe("terminal-codex");
  const editedInput = { command: "true" };
  for (const wider of [{ editedInput }, { approvalScope: "session" }]) {
    await scene.respond(card, { action: "approve", approvalScope: "once", ...wider });
    expect((await scene.interaction(card.interactionId)).status).toBe("pending");
  }
  await scene.respond(card, { action: "approve", approvalScope: "once" });
  expect(await outputOf(scene, "a-1")).toEqual(decided({ behavior: "allow" }));
});

test("[R-5] Codex gets a no with its reason, also if the no ends the turn", async () => {
  const scene = await openTerminalScene();
  const card = await ask(scene, "a-1");
  await scene.respond(card, { action: "deny", reason: "Not on a Monday.", stopTurn: true });
  const output = await outputOf(scene, "a-1");
  expect(output).toEqual(
    decided({ behavior: "deny", message: expect.stringContaining("Not on a Monday.") as string }),
  );
});

test("[R-5] the prompt of Codex is held back for two minutes, and then the hook decides nothing", async () => {
  const scene = await openTerminalScene();
  const card = await ask(scene, "a-1");
  for (let visit = 0; visit < 5; visit += 1) {
    const stay = scene.asks.visit("a-1");
    await scene.clock.advance(24_000);
    if (visit < 4) stay?.left();
  }
  expect(await outputOf(scene, "a-1")).toEqual({});
  expect(await scene.interaction(card.interactionId)).toMatchObject({
    status: "withdrawn",
    closedReason: "No one answered here in time, so the terminal asks.",
  });
});

test("[R-18] a turn that is interrupted in Codex withdraws its requests", async () => {
  const scene = await openTerminalScene();
  const card = await ask(scene, "a-1");
  scene.asks.tell({ hook_event_name: "Interrupt", session_id: "one" }, 1, "codex");
  expect(await outputOf(scene, "a-1")).toEqual({});
  expect((await scene.interaction(card.interactionId)).status).toBe("withdrawn");
});

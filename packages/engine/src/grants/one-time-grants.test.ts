import { expect, test } from "vitest";

import { ada } from "../testing/gateway-fixture.ts";
import { openGrantScene, type GrantScene } from "../testing/grant-scene.ts";

const holdMs = 600_000;
const dayMs = 24 * 60 * 60 * 1000;

/** A session in which a call was approved after its agent had continued. */
async function approveLate(scene: GrantScene): Promise<string> {
  const sessionId = await scene.start({ toolCallId: "t1", command: "make" });
  await scene.fixture.clock.advance(holdMs);
  expect(await scene.approve("t1")).toMatchObject({ status: "accepted" });
  return sessionId;
}

test("[R-5] a late approval lets exactly that call run once without asking, and its message tells the agent", async () => {
  await using scene = await openGrantScene();
  const sessionId = await approveLate(scene);
  const told = scene.fixture.adapter.messages.at(-1)?.content;
  expect(told).toContain(
    "You may make one such call within the next 24 hours without asking again.",
  );
  expect(await scene.grants()).toMatchObject([
    { scope: "once", sessionId, text: expect.stringContaining('{"command":"make"}') },
  ]);
  await scene.makeCalls(sessionId, { toolCallId: "t2", command: "make" });
  expect(scene.answerOf("t2")).toMatchObject({
    response: { action: "approve", approvalScope: "once" },
    input: { command: "make" },
  });
  expect(await scene.uses(sessionId)).toMatchObject([{ toolCallId: "t2" }]);
  expect(await scene.grants()).toEqual([]);
  await scene.makeCalls(sessionId, { toolCallId: "t3", command: "make" });
  expect(await scene.pending("t3")).toBeDefined();
});

test("[R-1] [R-5] one of twenty simultaneous calls runs with the grant, and the others ask", async () => {
  await using scene = await openGrantScene();
  const sessionId = await approveLate(scene);
  const calls = Array.from({ length: 20 }, (_, index) => ({
    toolCallId: `c${index}`,
    command: "make",
  }));
  await scene.makeCalls(sessionId, ...calls);
  expect(calls.filter(({ toolCallId }) => scene.answerOf(toolCallId))).toHaveLength(1);
  expect(await scene.fixture.interactions("pending")).toHaveLength(19);
  expect(await scene.uses(sessionId)).toHaveLength(1);
});

test("[R-6] the grant covers nothing else: no other input, tool or session", async () => {
  await using scene = await openGrantScene();
  const sessionId = await approveLate(scene);
  await scene.makeCalls(
    sessionId,
    { toolCallId: "t2", command: "make " },
    { toolCallId: "t3", command: "make", toolName: "Shell" },
  );
  await scene.start({ toolCallId: "t4", command: "make" });
  for (const id of ["t2", "t3", "t4"]) expect(await scene.pending(id)).toBeDefined();
});

test("the grant ends after a day", async () => {
  await using scene = await openGrantScene();
  const sessionId = await approveLate(scene);
  await scene.fixture.clock.advance(dayMs);
  await scene.makeCalls(sessionId, { toolCallId: "t2", command: "make" });
  expect(await scene.pending("t2")).toBeDefined();
});

test("[R-6] the edited call runs after a late edit", async () => {
  await using scene = await openGrantScene();
  const sessionId = await scene.start({ toolCallId: "t1", command: "make" });
  await scene.fixture.clock.advance(holdMs);
  const [expired] = await scene.fixture.interactions("expired");
  await scene.fixture.gateway.respond(ada, expired!.interactionId, {
    action: "approve",
    digest: expired!.approval!.digest,
    editedInput: { command: "make -n" },
  });
  await scene.fixture.clock.settle();
  await scene.makeCalls(
    sessionId,
    { toolCallId: "t2", command: "make" },
    { toolCallId: "t3", command: "make -n" },
  );
  expect(await scene.pending("t2")).toBeDefined();
  expect(scene.answerOf("t3")?.input).toEqual({ command: "make -n" });
});

test("a late approval for longer leaves a grant of that scope, and no other", async () => {
  await using scene = await openGrantScene();
  const sessionId = await scene.start({ toolCallId: "t1", grantKey: "k" });
  await scene.fixture.clock.advance(holdMs);
  await scene.approve("t1", "session");
  expect((await scene.grants()).map(({ scope }) => scope)).toEqual(["session"]);
  expect(scene.fixture.adapter.messages.at(-1)?.content).toContain("do not have to ask again");
  for (const toolCallId of ["t2", "t3"]) {
    await scene.makeCalls(sessionId, { toolCallId, grantKey: "k" });
    expect(scene.answerOf(toolCallId)).toBeDefined();
  }
});

test("[R-5] a late denial leaves nothing", async () => {
  await using scene = await openGrantScene();
  await scene.start({ toolCallId: "t1" });
  await scene.fixture.clock.advance(holdMs);
  const [expired] = await scene.fixture.interactions("expired");
  await scene.fixture.gateway.respond(ada, expired!.interactionId, { action: "deny" });
  expect(await scene.grants()).toEqual([]);
});

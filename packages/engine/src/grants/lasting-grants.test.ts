import { describe, expect, test } from "vitest";

import { createMemoryStore } from "../memory-store/memory-store.ts";
import type { HoldResult } from "../ports/agent-adapter.ts";
import { ada, approval, bob, openFixture } from "../testing/gateway-fixture.ts";
import { openGrantScene } from "../testing/grant-scene.ts";
import { createScriptedAdapter } from "../testing/scripted-adapter.ts";
import { createSequentialIds } from "../testing/sequential-ids.ts";
import { wrapStore, type StoreFaults } from "../testing/wrapped-store.ts";

const dayMs = 24 * 60 * 60 * 1000;
const grantKey = "k";
const SCOPES = { always: "This command, anywhere." };

describe("an approval for longer", () => {
  test("runs the next call that it covers without asking, and an event names the grant", async () => {
    await using scene = await openGrantScene();
    const sessionId = await scene.start({ toolCallId: "t1", grantKey });
    await scene.approve("t1", "session");
    const [grant] = await scene.grants();
    expect(grant).toMatchObject({
      scope: "session",
      toolName: "Bash",
      text: "This command, in this session.",
      sessionId,
      agent: "scripted",
      cwd: "/work",
      by: { person: "Ada", client: "laptop" },
    });
    expect(grant).not.toHaveProperty("expiresAt");
    await scene.makeCalls(sessionId, { toolCallId: "t2", grantKey, command: "make all" });
    expect(scene.answerOf("t2")).toMatchObject({
      interactionId: grant!.interactionId,
      response: { action: "approve", approvalScope: "session", grantId: grant!.grantId },
      input: { command: "make all" },
    });
    expect(await scene.uses(sessionId)).toMatchObject([
      { grantId: grant!.grantId, toolCallId: "t2", toolName: "Bash" },
    ]);
    const types = await scene.fixture.eventTypes(sessionId);
    expect(types.filter((type) => type === "interaction_request")).toHaveLength(1);
    expect(types.indexOf("grant_added")).toBe(types.indexOf("interaction_response") + 1);
    expect((await scene.grants())[0]?.lastUsedAt).toBeDefined();
  });

  test("for the session ends with the session, and is never valid in another", async () => {
    await using scene = await openGrantScene();
    const sessionId = await scene.start({ toolCallId: "t1", grantKey });
    await scene.approve("t1", "session");
    await scene.start({ toolCallId: "t2", grantKey });
    expect(await scene.pending("t2")).toBeDefined();
    await scene.fixture.gateway.deleteSession(ada, sessionId);
    expect(await scene.grants()).toEqual([]);
  });

  test("from now on is valid in every session, for 30 days", async () => {
    await using scene = await openGrantScene();
    const first = await scene.start({ toolCallId: "t1", grantKey });
    await scene.approve("t1", "always");
    await scene.fixture.gateway.deleteSession(ada, first);
    const second = await scene.start({ toolCallId: "t2", grantKey });
    expect(scene.answerOf("t2")?.response.approvalScope).toBe("always");
    const [grant] = await scene.grants();
    expect(Date.parse(grant!.expiresAt!) - Date.parse(grant!.createdAt)).toBe(30 * dayMs);
    await scene.fixture.clock.advance(30 * dayMs);
    expect(await scene.grants()).toEqual([]);
    await scene.makeCalls(second, { toolCallId: "t3", grantKey });
    expect(await scene.pending("t3")).toBeDefined();
  });

  test("[R-15] covers the tools of its family, and no tool with only the same key", async () => {
    await using scene = await openGrantScene();
    const grantFamily = "edit";
    const sessionId = await scene.start({
      toolCallId: "t1",
      toolName: "Write",
      grantKey,
      grantFamily,
    });
    await scene.approve("t1", "session");
    await scene.makeCalls(
      sessionId,
      { toolCallId: "t2", toolName: "Edit", grantKey, grantFamily },
      { toolCallId: "t3", toolName: "Write", grantKey },
      { toolCallId: "t4", toolName: "Edit", grantKey, grantFamily: "read" },
    );
    expect(scene.answerOf("t2")?.response.approvalScope).toBe("session");
    for (const id of ["t3", "t4"]) expect(await scene.pending(id)).toBeDefined();
  });

  test("ends as early as the gateway is configured", async () => {
    await using scene = await openGrantScene({ grants: { alwaysDays: 1 } });
    await scene.start({ toolCallId: "t1", grantKey });
    await scene.approve("t1", "always");
    await scene.fixture.clock.advance(dayMs - 1);
    await scene.start({ toolCallId: "t2", grantKey });
    await scene.fixture.clock.advance(1);
    await scene.start({ toolCallId: "t3", grantKey });
    expect(scene.answerOf("t2")).toBeDefined();
    expect(await scene.pending("t3")).toBeDefined();
  });

  test.each([
    ["another key", { grantKey: "other" }],
    ["no key", {}],
    ["another tool", { grantKey, toolName: "Shell" }],
    ["no such scope on offer", { grantKey, scopes: ["once", "session"] as const }],
  ])("[R-15] does not cover a call with %s", async (_name, call) => {
    await using scene = await openGrantScene();
    const sessionId = await scene.start({ toolCallId: "t1", grantKey });
    await scene.approve("t1", "always");
    await scene.makeCalls(sessionId, { toolCallId: "t2", ...call });
    expect(await scene.pending("t2")).toBeDefined();
    expect(await scene.uses(sessionId)).toEqual([]);
  });

  test("[R-15] does not cover the same call of another agent", async () => {
    const results: HoldResult[] = [];
    const other = createScriptedAdapter(async (_message, context) => {
      const request = approval("t2", { grantKey, scopes: ["once", "always"], scopeText: SCOPES });
      results.push(await context.hold(request, { signal: context.signal }));
      return { reason: "done" };
    });
    await using scene = await openGrantScene({ otherAgents: new Map([["other", other]]) });
    await scene.start({ toolCallId: "t1", grantKey });
    await scene.approve("t1", "always");
    const { fixture } = scene;
    const { sessionId } = await fixture.gateway.createSession(ada, { agent: "other" });
    await fixture.send(sessionId, "go");
    expect(results).toEqual([]);
    expect(await scene.pending("t2")).toBeDefined();
  });

  test("outlives a restart", async () => {
    const store = createMemoryStore();
    {
      await using scene = await openGrantScene({ store });
      await scene.start({ toolCallId: "t1", grantKey });
      await scene.approve("t1", "always");
    }
    await using scene = await openGrantScene({
      store,
      ids: { ...createSequentialIds(), next: (prefix) => `${prefix}_later_${(count += 1)}` },
    });
    await scene.start({ toolCallId: "t2", grantKey });
    expect(scene.answerOf("t2")).toBeDefined();
  });
  let count = 0;
});

describe("no grant is created", () => {
  test("[R-11] by an approval once, nor by one without a key", async () => {
    await using scene = await openGrantScene();
    const sessionId = await scene.start({ toolCallId: "t1", grantKey }, { toolCallId: "t2" });
    await scene.approve("t1");
    await scene.approve("t2", "always");
    expect(await scene.grants()).toEqual([]);
    expect(await scene.fixture.eventTypes(sessionId)).not.toContain("grant_added");
  });

  test("[R-11] by a scope that was not offered", async () => {
    await using scene = await openGrantScene();
    await scene.start({ toolCallId: "t1", grantKey, scopes: ["once"] });
    expect(await scene.approve("t1", "always")).toMatchObject({ status: "refused" });
    expect(await scene.grants()).toEqual([]);
  });

  test("[R-6] by an edit, whose scope is once in its record", async () => {
    await using scene = await openGrantScene();
    await scene.start({ toolCallId: "t1", grantKey });
    const { interactionId, approval } = (await scene.pending("t1"))!;
    const result = await scene.fixture.gateway.respond(ada, interactionId, {
      action: "approve",
      digest: approval!.digest,
      approvalScope: "always",
      editedInput: { command: "make clean" },
    });
    expect(result).toMatchObject({ interaction: { response: { approvalScope: "once" } } });
    expect(await scene.grants()).toEqual([]);
  });

  test("by a response that could not be written", async () => {
    const faults: StoreFaults = {};
    await using scene = await openGrantScene({ store: wrapStore(createMemoryStore(), faults) });
    await scene.start({ toolCallId: "t1", grantKey });
    faults.beforeAppend = () => Promise.reject(new Error("The disk is full."));
    await expect(scene.approve("t1", "always")).rejects.toMatchObject({ code: "INTERNAL" });
    faults.beforeAppend = undefined;
    expect(await scene.grants()).toEqual([]);
    expect(await scene.pending("t1")).toBeDefined();
  });
});

describe("requests that are already open", () => {
  test("are answered by a new grant that covers them, in the name of its creator", async () => {
    await using scene = await openGrantScene();
    const first = await scene.start({ toolCallId: "t1", grantKey }, { toolCallId: "t2", grantKey });
    const second = await scene.start(
      { toolCallId: "t3", grantKey },
      { toolCallId: "t4", grantKey: "other" },
      { toolCallId: "t5", grantKey, scopes: ["once"] },
    );
    await scene.approve("t1", "always");
    const [grant] = await scene.grants();
    const response = { action: "approve", approvalScope: "always", grantId: grant!.grantId };
    for (const id of ["t2", "t3"]) expect(scene.answerOf(id)).toMatchObject({ response });
    expect(await scene.pending("t4")).toBeDefined();
    expect(await scene.pending("t5")).toBeDefined();
    expect(await scene.uses(first)).toMatchObject([{ toolCallId: "t2" }]);
    expect(await scene.uses(second)).toMatchObject([{ toolCallId: "t3" }]);
    const delivered = await scene.fixture.interactions("delivered");
    expect(delivered.find(({ toolCallId }) => toolCallId === "t3")).toMatchObject({
      response,
      by: { person: "Ada", client: "laptop" },
    });
  });

  test("in other sessions keep waiting when the grant is for one session", async () => {
    await using scene = await openGrantScene();
    await scene.start({ toolCallId: "t1", grantKey }, { toolCallId: "t2", grantKey });
    await scene.start({ toolCallId: "t3", grantKey });
    await scene.approve("t1", "session");
    expect(scene.answerOf("t2")).toBeDefined();
    expect(await scene.pending("t3")).toBeDefined();
  });

  test("[R-1] are settled once when a person denies them at the same time", async () => {
    await using scene = await openGrantScene();
    await scene.start({ toolCallId: "t1", grantKey }, { toolCallId: "t2", grantKey });
    const { interactionId } = (await scene.pending("t2"))!;
    const [, denial] = await Promise.all([
      scene.approve("t1", "session"),
      scene.fixture.gateway.respond(bob, interactionId, { action: "deny" }),
    ]);
    await scene.fixture.clock.settle();
    const { response, by } = await scene.fixture.gateway.getInteraction(bob, interactionId);
    const isDenied = denial.status === "accepted";
    expect(response?.action).toBe(isDenied ? "deny" : "approve");
    expect(by?.person).toBe(isDenied ? "Bob" : "Ada");
    expect(scene.answerOf("t2")?.response.action).toBe(response?.action);
  });

  test("[R-9] are not missed if they are being opened while the grant is made", async () => {
    const faults: StoreFaults = {};
    await using scene = await openGrantScene({ store: wrapStore(createMemoryStore(), faults) });
    await scene.start({ toolCallId: "t1", grantKey });
    const released = Promise.withResolvers<void>();
    faults.beforeAppend = async (batch) => {
      if (batch.events?.some(({ type }) => type === "interaction_request")) await released.promise;
    };
    await scene.start({ toolCallId: "t2", grantKey });
    await scene.approve("t1", "always");
    expect(scene.results.has("t2")).toBe(false);
    released.resolve();
    await scene.fixture.clock.settle();
    expect(scene.answerOf("t2")?.response.grantId).toBeDefined();
  });
});

test("[R-5] when grants cannot be read, a person is asked", async () => {
  const store = createMemoryStore();
  {
    await using scene = await openGrantScene({ store });
    await scene.start({ toolCallId: "t1", grantKey });
    await scene.approve("t1", "always");
  }
  const broken = {
    ...wrapStore(store, {}),
    findGrants: () => Promise.reject(new Error("The index is damaged.")),
  };
  let count = 0;
  const next = (prefix: string) => `${prefix}_later_${(count += 1)}`;
  const ids = { ...createSequentialIds(), next };
  await using scene = await openGrantScene({ store: broken, ids });
  await scene.start({ toolCallId: "t2", grantKey });
  expect(await scene.pending("t2")).toBeDefined();
  expect(scene.fixture.errors).not.toEqual([]);
});

test("[R-13] an agent's credential can neither list nor revoke grants", async () => {
  await using fixture = await openFixture(async () => ({ reason: "done" }));
  const agent = { principal: "agent", person: "Ada", client: "agent" } as const;
  const forbidden = { code: "FORBIDDEN" };
  await expect(fixture.gateway.listGrants(agent, { limit: 1 })).rejects.toMatchObject(forbidden);
  await expect(fixture.gateway.revokeGrant(agent, "gnt_1")).rejects.toMatchObject(forbidden);
});

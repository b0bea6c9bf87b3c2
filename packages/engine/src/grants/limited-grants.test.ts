import { describe, expect, test } from "vitest";

import { createMemoryStore } from "../memory-store/memory-store.ts";
import { openGrantScene, type GrantCall } from "../testing/grant-scene.ts";
import { createSequentialIds } from "../testing/sequential-ids.ts";

const grantKey = "k";
const HOUR_MS = 60 * 60 * 1000;

function calls(count: number): GrantCall[] {
  return Array.from({ length: count }, (_, index) => ({ toolCallId: `t${index + 2}`, grantKey }));
}

describe("an approval for a number of calls", () => {
  test("covers that many after its own, shows how many are left, and then ends", async () => {
    await using scene = await openGrantScene();
    const sessionId = await scene.start({ toolCallId: "t1", grantKey });
    await scene.approve("t1", "session", { uses: 2 });
    expect((await scene.grants())[0]).toMatchObject({ scope: "session", usesLeft: 2 });
    await scene.makeCalls(sessionId, { toolCallId: "t2", grantKey });
    expect((await scene.grants())[0]).toMatchObject({ usesLeft: 1 });
    await scene.makeCalls(sessionId, { toolCallId: "t3", grantKey });
    expect(await scene.grants()).toEqual([]);
    await scene.makeCalls(sessionId, { toolCallId: "t4", grantKey });
    expect(await scene.pending("t4")).toBeDefined();
    expect(await scene.uses(sessionId)).toHaveLength(2);
  });

  test("[R-1] covers five of twenty calls at the same instant", async () => {
    await using scene = await openGrantScene();
    const sessionId = await scene.start({ toolCallId: "t1", grantKey });
    await scene.approve("t1", "always", { uses: 5 });
    await scene.makeCalls(sessionId, ...calls(20));
    expect(scene.results.size).toBe(6);
    expect(await scene.uses(sessionId)).toHaveLength(5);
    expect(await scene.fixture.interactions("pending")).toHaveLength(15);
  });

  test("[R-1] answers three of ten pending interactions", async () => {
    await using scene = await openGrantScene();
    const sessionId = await scene.start({ toolCallId: "t1", grantKey }, ...calls(10));
    await scene.approve("t1", "session", { uses: 3 });
    expect(await scene.uses(sessionId)).toHaveLength(3);
    expect(await scene.fixture.interactions("pending")).toHaveLength(7);
  });

  test("counts on in the next gateway", async () => {
    const store = createMemoryStore();
    const ids = createSequentialIds();
    {
      await using scene = await openGrantScene({ store, ids });
      await scene.start({ toolCallId: "t1", grantKey });
      await scene.approve("t1", "always", { uses: 1 });
    }
    await using scene = await openGrantScene({ store, ids });
    expect((await scene.grants())[0]).toMatchObject({ usesLeft: 1 });
    await scene.start({ toolCallId: "t2", grantKey }, { toolCallId: "t3", grantKey });
    expect(scene.results.size).toBe(1);
  });
});

describe("an approval for some time", () => {
  test.each(["session", "always"] as const)("for %s ends after that time", async (scope) => {
    await using scene = await openGrantScene();
    const sessionId = await scene.start({ toolCallId: "t1", grantKey });
    await scene.approve("t1", scope, { forMs: HOUR_MS });
    await scene.makeCalls(sessionId, { toolCallId: "t2", grantKey });
    expect(scene.answerOf("t2")).toBeDefined();
    await scene.fixture.clock.advance(HOUR_MS);
    expect(await scene.grants()).toEqual([]);
    await scene.makeCalls(sessionId, { toolCallId: "t3", grantKey });
    expect(await scene.pending("t3")).toBeDefined();
  });

  test("never lasts longer than one without a limit", async () => {
    await using scene = await openGrantScene();
    await scene.start({ toolCallId: "t1", grantKey });
    await scene.approve("t1", "always", { forMs: 300 * 24 * HOUR_MS });
    const [grant] = await scene.grants();
    const lifeMs = Date.parse(grant!.expiresAt!) - Date.parse(grant!.createdAt);
    expect(lifeMs).toBe(30 * 24 * HOUR_MS);
  });
});

describe("[R-11] a limit is refused", () => {
  test("for an approval for one call, or for one that the gateway does not remember", async () => {
    await using scene = await openGrantScene();
    await scene.start({ toolCallId: "t1", grantKey }, { toolCallId: "t2" });
    const refused = {
      problem: {
        code: "INVALID_RESPONSE",
        fieldErrors: { grantLimit: expect.any(String) as string },
      },
    };
    expect(await scene.approve("t1", "once", { uses: 2 })).toMatchObject(refused);
    expect(await scene.approve("t2", "session", { uses: 2 })).toMatchObject(refused);
    expect((await scene.pending("t1"))?.approval?.canLimit).toBe(true);
    expect((await scene.pending("t2"))?.approval).not.toHaveProperty("canLimit");
  });
});

import type { OverviewFrame } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { createMemoryStore } from "../memory-store/memory-store.ts";
import { ada, bob, Reader } from "../testing/gateway-fixture.ts";
import { openGrantScene, type GrantScene } from "../testing/grant-scene.ts";
import { wrapStore, type StoreFaults } from "../testing/wrapped-store.ts";

const grantKey = "k";

async function allowAlways(scene: GrantScene): Promise<{ sessionId: string; grantId: string }> {
  const sessionId = await scene.start({ toolCallId: "t1", grantKey });
  await scene.approve("t1", "always");
  const [grant] = await scene.grants();
  return { sessionId, grantId: grant!.grantId };
}

test("the first call after a revoke asks, and the log has who revoked the grant", async () => {
  await using scene = await openGrantScene();
  const { sessionId, grantId } = await allowAlways(scene);
  await scene.fixture.gateway.revokeGrant(bob, grantId);
  await scene.makeCalls(sessionId, { toolCallId: "t2", grantKey });
  expect(await scene.pending("t2")).toBeDefined();
  expect(await scene.grants()).toEqual([]);
  expect(await scene.fixture.events(sessionId)).toContainEqual(
    expect.objectContaining({
      type: "grant_revoked",
      grantId,
      by: expect.objectContaining({ person: "Bob", client: "phone" }),
    }),
  );
});

test("a call that has found the grant asks if it is revoked before the use is written", async () => {
  const faults: StoreFaults = {};
  await using scene = await openGrantScene({ store: wrapStore(createMemoryStore(), faults) });
  const { sessionId, grantId } = await allowAlways(scene);
  const released = Promise.withResolvers<void>();
  faults.beforeAppend = async (batch) => {
    if (batch.events?.some(({ type }) => type === "grant_used")) await released.promise;
  };
  await scene.makeCalls(sessionId, { toolCallId: "t2", grantKey });
  await scene.fixture.gateway.revokeGrant(bob, grantId);
  released.resolve();
  await scene.fixture.clock.settle();
  expect(await scene.pending("t2")).toBeDefined();
  expect(await scene.uses(sessionId)).toEqual([]);
});

test.each([
  ["a lasting grant", "always", grantKey],
  ["a grant for a session", "session", grantKey],
] as const)(
  "[R-5] if the use of %s cannot be written, a person is asked",
  async (_, scope, key) => {
    const faults: StoreFaults = {};
    await using scene = await openGrantScene({ store: wrapStore(createMemoryStore(), faults) });
    const sessionId = await scene.start({ toolCallId: "t1", grantKey: key });
    await scene.approve("t1", scope);
    faults.beforeAppend = (batch) => {
      if (batch.events?.some(({ type }) => type === "grant_used")) throw new Error("Disk full.");
    };
    await scene.makeCalls(sessionId, { toolCallId: "t2", grantKey: key });
    expect(scene.answerOf("t2")).toBeUndefined();
    expect(await scene.pending("t2")).toBeDefined();
  },
);

test("a second revoke, and one of an unknown grant, is NOT_FOUND", async () => {
  await using scene = await openGrantScene();
  const { sessionId, grantId } = await allowAlways(scene);
  const results = await Promise.allSettled([
    scene.fixture.gateway.revokeGrant(ada, grantId),
    scene.fixture.gateway.revokeGrant(bob, grantId),
    scene.fixture.gateway.revokeGrant(bob, "gnt_unknown"),
  ]);
  expect(results).toMatchObject([
    { status: "fulfilled" },
    { status: "rejected", reason: { code: "NOT_FOUND" } },
    { status: "rejected", reason: { code: "NOT_FOUND" } },
  ]);
  const types = await scene.fixture.eventTypes(sessionId);
  expect(types.filter((type) => type === "grant_revoked")).toHaveLength(1);
});

test("a grant made in a deleted session can still be revoked", async () => {
  await using scene = await openGrantScene();
  const { sessionId, grantId } = await allowAlways(scene);
  await scene.fixture.gateway.deleteSession(ada, sessionId);
  await scene.fixture.gateway.revokeGrant(ada, grantId);
  expect(await scene.grants()).toEqual([]);
  await scene.start({ toolCallId: "t2", grantKey });
  expect(await scene.pending("t2")).toBeDefined();
});

test("the stream over all sessions reports grants that are added, used and removed", async () => {
  await using scene = await openGrantScene();
  await using reader = Reader.overview(scene.fixture.gateway);
  await scene.fixture.clock.settle();
  const countNotices = () =>
    reader.frames.filter(({ type }: OverviewFrame) => type === "grants_changed").length;
  expect(countNotices()).toBe(0);
  const { sessionId, grantId } = await allowAlways(scene);
  expect(countNotices()).toBe(1);
  await scene.makeCalls(sessionId, { toolCallId: "t2", grantKey });
  expect(countNotices()).toBe(2);
  await scene.fixture.gateway.revokeGrant(ada, grantId);
  await scene.fixture.clock.settle();
  expect(countNotices()).toBe(3);
});

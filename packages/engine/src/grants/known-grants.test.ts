import { expect, test } from "vitest";

import { createMemoryStore } from "../memory-store/memory-store.ts";
import type { GrantQuery, StoredGrant } from "../ports/grant-store.ts";
import { openGrantScene } from "../testing/grant-scene.ts";
import { wrapStore } from "../testing/wrapped-store.ts";
import { KnownGrants } from "./known-grants.ts";

/** A store that records which grants are looked up. */
function openWatchedStore() {
  const store = wrapStore(createMemoryStore(), {});
  const looked: GrantQuery[] = [];
  const findGrants = (query: GrantQuery): Promise<readonly StoredGrant[]> => {
    looked.push(query);
    return store.findGrants(query);
  };
  return { store: { ...store, findGrants }, looked };
}

test("a request that no grant can cover is not looked up", async () => {
  const { store, looked } = openWatchedStore();
  await using scene = await openGrantScene({ store });
  const sessionId = await scene.start({ toolCallId: "t1", grantKey: "k" });
  await scene.approve("t1", "once");
  await scene.makeCalls(sessionId, { toolCallId: "t2", grantKey: "k" });
  expect(looked).toEqual([]);
  await scene.approve("t2", "session");
  await scene.makeCalls(sessionId, { toolCallId: "t3", grantKey: "k" });
  expect(scene.answerOf("t3")?.response.grantId).toBeDefined();
  const count = looked.length;
  await scene.makeCalls(sessionId, { toolCallId: "t4", grantKey: "other", command: "make" });
  expect(await scene.pending("t4")).toBeDefined();
  expect(looked).toHaveLength(count);
});

test("with very many grants every request is looked up", () => {
  const known = new KnownGrants();
  const add = (keyHash: string) =>
    known.willWrite([{ type: "add", row: { keyHash } as StoredGrant }]);
  add("one");
  expect([known.hasAny, known.mayHave("one"), known.mayHave("other")]).toEqual([true, true, false]);
  for (let index = 0; index < 20_000; index += 1) add(`hash ${index}`);
  expect([known.hasAny, known.mayHave("one"), known.mayHave("other")]).toEqual([true, true, true]);
});

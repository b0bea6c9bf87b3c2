import { type Caller, isAskedOf, type Named } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { HOME, openResponderScene, type ResponderScene } from "../testing/responder-scene.ts";

const HOUR_MS = 60 * 60_000;
const STEPS = [{ who: [{ group: "managers" }], afterMs: HOUR_MS }];

/** A request to bob of the group `ops`; max and moe are managers, of a later step. */
async function openAsked({ need = 1, steps = STEPS, ...options }: Options = {}) {
  const scene = await openResponderScene({
    responders: { default: { who: [{ group: "ops" }], steps, need } },
    holdTimeoutMs: Infinity,
    ...options,
  });
  const bob = await scene.signIn("bob", { groups: ["ops"] });
  const max = await scene.signIn("max", { groups: ["managers"] });
  const moe = await scene.signIn("moe", { groups: ["managers"] });
  const { interactionId } = await scene.ask(bob);
  return { scene, bob, max, moe, interactionId, ...toolsOf(scene, interactionId) };
}

type Options = Partial<Parameters<typeof openResponderScene>[0]> & {
  readonly need?: number;
  readonly steps?: typeof STEPS;
};

function toolsOf(scene: ResponderScene, interactionId: string) {
  return {
    handOver: (by: Caller, to: Named) => scene.gateway.handOver(by, interactionId, { to }),
    /** The people who are asked now, as far as they can sign in. */
    asked: async (...people: readonly Caller[]) => {
      await scene.clock.advance(1);
      const interaction = await scene.now(interactionId);
      const at = new Date(scene.clock.now()).toISOString();
      const known = await scene.gateway.credentials.list();
      return people.flatMap(({ person, personId }) => {
        const own = known.find((one) => one.personId === personId);
        const viewer = own && scene.gateway.viewerOf(own);
        return viewer && isAskedOf(interaction, viewer, at) ? [person] : [];
      });
    },
    /** The issuer reports these groups at the next sign-in. */
    says: ({ personId, signIn }: { personId?: string; signIn?: object }, groups: string[]) =>
      scene.gateway.credentials.confirm(personId!, { ...signIn, groups } as never),
  };
}

test("[R-5] a handover to a person who loses the group returns to the person who made it, and answers nothing", async () => {
  const { scene, bob, max, moe, interactionId, handOver, asked, says } = await openAsked();
  await using _ = scene;
  await handOver(bob, { person: "max" });
  expect(await asked(bob, max)).toEqual(["max"]);
  await says(max, ["sales"]);
  expect(await asked(bob, moe)).toEqual(["bob"]);
  const { notes, status, votes } = await scene.now(interactionId);
  expect([status, votes, scene.results]).toEqual(["pending", undefined, []]);
  const back = { to: { person: "per_bob", issuer: HOME }, back: true };
  expect(notes).toMatchObject({ given: 2, handOvers: [{ instead: true }, back] });
  // It is one hand-over, however often it is checked, and not bob's.
  await says(max, ["sales"]);
  expect(await asked(bob, max, moe)).toEqual(["bob"]);
  expect((await scene.now(interactionId)).notes?.given).toBe(2);
  await handOver(bob, { person: "moe" });
  expect(await asked(bob, moe)).toEqual(["moe"]);
  await scene.approve({ ...moe, role: "responder" }, interactionId);
  expect(scene.results).toMatchObject([{ response: { action: "approve" } }]);
});

test("[R-5] a chain of handovers returns to the last person who can answer, and no further", async () => {
  const { scene, bob, max, moe, handOver, asked, says } = await openAsked();
  await using _ = scene;
  await handOver(bob, { person: "max" });
  await handOver(max, { person: "moe" });
  expect(await asked(bob, max, moe)).toEqual(["moe"]);
  // The loss of a person in the middle does not matter.
  scene.roles.set("max", "viewer");
  await says(max, ["managers"]);
  expect(await asked(bob, max, moe)).toEqual(["moe"]);
  scene.roles.set("max", "responder");
  await says(moe, []);
  expect(await asked(bob, max, moe)).toEqual(["max"]);
  await scene.gateway.credentials.revoke(max.tokenId!);
  expect(await asked(bob, moe)).toEqual(["bob"]);
});

test("[R-5] a handover to a group that becomes empty returns, and people who join later are asked as well", async () => {
  const { scene, bob, max, moe, handOver, asked, says } = await openAsked();
  await using _ = scene;
  await handOver(bob, { group: "managers" });
  await says(max, []);
  expect(await asked(bob, max, moe)).toEqual(["moe"]);
  await scene.gateway.credentials.revoke(moe.tokenId!);
  expect(await asked(bob)).toEqual(["bob"]);
  const zoe = await scene.signIn("zoe", { groups: ["managers"] });
  expect(await asked(bob, zoe)).toEqual(["bob", "zoe"]);
});

test("[R-5] the person who handed over is asked as well if too few people are left", async () => {
  const { scene, bob, max, moe, handOver, asked, says } = await openAsked({ need: 2 });
  await using _ = scene;
  await handOver(bob, { group: "managers" });
  expect(await asked(bob, max, moe)).toEqual(["max", "moe"]);
  await says(moe, []);
  expect(await asked(bob, max)).toEqual(["bob", "max"]);
  expect(scene.results).toEqual([]);
});

test("[R-5] if no one who handed over can answer either, the people named by the policy are asked again", async () => {
  const { scene, bob, max, moe, interactionId, handOver, asked, says } = await openAsked();
  await using _ = scene;
  const amy = await scene.signIn("amy", { groups: ["ops"] });
  await handOver(amy, { person: "bob" });
  await handOver(bob, { person: "max" });
  expect(await asked(amy, bob, max)).toEqual(["max"]);
  await says(bob, []);
  await says(max, []);
  // Amy has handed it over to bob: it returns to her alone.
  expect(await asked(amy, moe)).toEqual(["amy"]);
  await says(amy, []);
  expect(await asked(amy, moe)).toEqual([]);
  const ned = await scene.signIn("ned", { groups: ["ops"] });
  expect(await asked(ned, moe)).toEqual(["ned"]);
  await scene.clock.advance(HOUR_MS);
  expect(await asked(ned, moe)).toEqual(["ned", "moe"]);
  expect(await scene.now(interactionId)).toMatchObject({ status: "pending" });
});

test("[R-2] [R-5] a person removed while no gateway ran loses the handover at the next start, and it stays returned", async () => {
  const { scene, bob, max, interactionId, handOver, asked } = await openAsked({
    transcripts: new Map(),
    availabilityGraceMs: 0,
  });
  await handOver(bob, { group: "managers" });
  await scene.clock.advance(1000);
  scene.roles.delete("max");
  scene.roles.delete("moe");
  // This gateway has not been notified.
  expect(await asked(bob, max)).toEqual([]);
  const next = await scene.restart();
  const after = toolsOf(next, interactionId);
  expect(await after.asked(bob)).toEqual(["bob"]);
  await using last = await next.restart();
  expect(await toolsOf(last, interactionId).asked(bob)).toEqual(["bob"]);
  expect(await last.now(interactionId)).toMatchObject({ hold: "parked", notes: { given: 2 } });
  const { sessionId } = await last.now(interactionId);
  const types = await last.eventTypes(sessionId);
  expect(types.filter((type) => type === "interaction_note")).toHaveLength(2);
  await last.approve(bob, interactionId);
  await last.clock.advance(1000);
  expect(last.results).toMatchObject([{ response: { action: "approve" } }]);
});

test("[R-5] an answer taken back after its person was removed goes to the person who handed over", async () => {
  const { scene, bob, moe, interactionId, handOver, asked } = await openAsked({
    transcripts: new Map(),
    availabilityGraceMs: 0,
  });
  await using _ = scene;
  const olga = await scene.signIn("olga", { groups: ["ops"] }, "owner");
  await scene.clock.advance(1000);
  await handOver(bob, { person: "moe" });
  await scene.deny(moe, interactionId, { undoMs: 5000 });
  await scene.gateway.credentials.revoke(moe.tokenId!);
  const { by } = await scene.now(interactionId);
  await scene.gateway.undoResponse(olga, interactionId, { answeredAt: by!.at });
  expect(await asked(bob)).toEqual(["bob"]);
  expect(await scene.now(interactionId)).toMatchObject({ status: "pending" });
});

test("[R-20] a returned handover takes up no room, and gives no one a right", async () => {
  const late = [{ who: [{ group: "late" }], afterMs: HOUR_MS }];
  const { scene, bob, interactionId, handOver, asked, says } = await openAsked({
    steps: [...STEPS, ...late],
  });
  await using _ = scene;
  const zoe = await scene.signIn("zoe", { groups: ["managers"] });
  for (let times = 1; times <= 16; times += 1) {
    await says(zoe, ["managers"]);
    await handOver(bob, { person: "zoe" });
    expect(await asked(bob, zoe)).toEqual(["zoe"]);
    await says(zoe, []);
    expect(await asked(bob, zoe)).toEqual(["bob"]);
  }
  await says(zoe, ["managers"]);
  await expect(handOver(bob, { person: "zoe" })).rejects.toMatchObject({ code: "INVALID_REQUEST" });
  // Bob would now only belong to a later step.
  await says(bob, ["late"]);
  const moved = { ...bob, signIn: { ...bob.signIn, groups: ["late"] } };
  await expect(scene.deny(moved, interactionId)).rejects.toThrow("You can answer this later");
});

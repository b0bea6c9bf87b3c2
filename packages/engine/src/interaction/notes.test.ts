import {
  type Caller,
  type Interaction,
  isAskedOf,
  type Named,
  NOTE_LIMITS,
} from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { createLog } from "../testing/create-log.ts";
import { ada as local } from "../testing/gateway-fixture.ts";
import { EVERYBODY, openResponderScene, type ResponderScene } from "../testing/responder-scene.ts";

const MINUTE_MS = 60_000;
const TEXT = "Which database? Approve all.";
const STEPS = [{ who: [{ group: "managers" }], afterMs: 60 * MINUTE_MS }];
const refused = (code: string) => ({ code });

/** A request of ada's agent, which the group `ops` can answer, and after an hour the group `managers`. */
async function openAsked(options: Parameters<typeof openResponderScene>[0] = {}) {
  const scene = await openResponderScene({
    responders: { default: { who: [{ group: "ops" }], steps: STEPS } },
    ...options,
  });
  const ada = await scene.signIn("ada", { groups: ["ops"] });
  const bob = await scene.signIn("bob", { groups: ["ops"] });
  const max = await scene.signIn("max", { groups: ["managers"] });
  const eve = await scene.signIn("eve", { groups: ["sales"] });
  const { interactionId } = await scene.ask(ada);
  return { scene, ada, bob, max, eve, interactionId };
}

const whoIsAsked = ({ clock }: ResponderScene, asked: Interaction, people: readonly Caller[]) =>
  people
    .filter((who) => isAskedOf(asked, who, new Date(clock.now()).toISOString()))
    .map(({ person }) => person);

const comment = ({ gateway }: ResponderScene, who: Caller, id: string, text = TEXT) =>
  gateway.addComment(who, id, { text });

describe("a comment", () => {
  test("[R-5] is no answer: the agent gets nothing, then or with the answer, and the deadline stays", async () => {
    const { scene, ada, bob, interactionId } = await openAsked();
    await using _ = scene;
    const before = await scene.now(interactionId);
    await scene.clock.advance(MINUTE_MS);
    const { notes, remainingMs: _left, ...rest } = await comment(scene, bob, interactionId);
    expect(notes?.comments).toMatchObject([{ text: TEXT, by: { person: "bob" } }]);
    const { remainingMs: _before, ...same } = before;
    expect(rest).toEqual(same);
    // Sent again, it is the same comment.
    await comment(scene, bob, interactionId);
    await comment(scene, ada, interactionId, "The one of the orders.");
    await scene.clock.settle();
    expect(scene.results).toEqual([]);
    await scene.approve(bob, interactionId);
    expect(scene.results).toMatchObject([{ outcome: "answered", response: { action: "approve" } }]);
    expect(JSON.stringify(scene.results)).not.toContain("database");
    const { notes: kept } = await scene.now(interactionId);
    expect(kept?.comments?.map(({ by }) => by.person)).toEqual(["bob", "ada"]);
    await expect(comment(scene, bob, interactionId, "Late")).rejects.toMatchObject(
      refused("INVALID_REQUEST"),
    );
  });

  test("[R-5] is in no message with a late answer", async () => {
    const { scene, bob, interactionId } = await openAsked();
    await using _ = scene;
    await scene.clock.advance(10 * MINUTE_MS);
    await comment(scene, bob, interactionId);
    await scene.deny(bob, interactionId);
    await scene.clock.settle();
    const { sessionId } = await scene.now(interactionId);
    const events = await scene.events(sessionId);
    const late = events.filter((event) => event.type === "user_message" && event.interactionId);
    expect(late).toHaveLength(1);
    expect(JSON.stringify(late)).not.toContain("database");
  });

  test("marks people who could not answer, and is refused to viewers and agents", async () => {
    const { scene, bob, max, eve, interactionId } = await openAsked();
    await using _ = scene;
    for (const who of [bob, max, eve]) await comment(scene, who, interactionId);
    const { notes } = await scene.now(interactionId);
    expect(notes?.comments?.map(({ outsider = false }) => outsider)).toEqual([false, true, true]);
    const viewer: Caller = { ...bob, role: "viewer" };
    const agent: Caller = { ...bob, principal: "agent" };
    const reader: Caller = { ...bob, scope: "read" };
    for (const who of [viewer, agent, reader]) {
      await expect(comment(scene, who, interactionId, "x")).rejects.toMatchObject(
        refused("FORBIDDEN"),
      );
    }
  });

  test("[R-2] [R-10] survives the end of the gateway, and an answer at that moment does not remove it", async () => {
    const { scene, ada, bob, interactionId } = await openAsked({
      transcripts: new Map(),
      holdTimeoutMs: Infinity,
      availabilityGraceMs: 0,
    });
    await Promise.all([
      comment(scene, bob, interactionId),
      comment(scene, ada, interactionId, "The one of the orders."),
      scene.clock.advance(1000),
    ]);
    expect(await scene.now(interactionId)).toMatchObject({ hold: "parked", notes: { given: 2 } });
    await using next = await scene.restart();
    expect(await next.now(interactionId)).toMatchObject({ notes: { given: 2 } });
    const [, answered] = await Promise.all([
      comment(next, bob, interactionId, "Now?"),
      next.approve(ada, interactionId),
    ]);
    expect(answered).toMatchObject({ status: "accepted" });
    await next.clock.advance(1000);
    const left = await next.now(interactionId);
    expect(left).toMatchObject({ status: "delivered", notes: { given: 3 } });
    expect(next.results).toMatchObject([{ response: { action: "approve" } }]);
  });

  test("[R-1] is kept when an answer was read before it, and so is the answer", async () => {
    await using scene = await openResponderScene();
    const ada = await scene.signIn("ada");
    const { interactionId } = await scene.ask(ada);
    for (const order of ["comment first", "answer first"]) {
      const { interactionId: id } =
        order === "comment first" ? { interactionId } : await scene.ask(ada);
      const add = () => comment(scene, ada, id).catch((error: unknown) => error);
      const answer = () => scene.deny(ada, id);
      const [said] =
        order === "comment first"
          ? (await Promise.all([add(), answer()])).toReversed()
          : await Promise.all([answer(), add()]);
      expect(said).toMatchObject({ status: "accepted" });
      const { sessionId, notes, status } = await scene.now(id);
      const written = (await scene.eventTypes(sessionId)).includes("interaction_note");
      expect([status, notes?.given ?? 0]).toEqual(["delivered", written ? 1 : 0]);
    }
  });
});

describe("a handover", () => {
  const to = { group: "managers" };

  test("[R-5] lets people of a later step answer now, and takes the right from no one", async () => {
    const { scene, bob, max, interactionId } = await openAsked();
    await using _ = scene;
    await expect(scene.deny(max, interactionId)).rejects.toThrow("You can answer this later");
    const handed = await scene.gateway.handOver(bob, interactionId, { to });
    expect(handed.responders).toEqual((await scene.now(interactionId)).responders);
    expect(handed).toMatchObject({
      status: "pending",
      notes: { handOvers: [{ by: { person: "bob" } }] },
    });
    await scene.gateway.handOver(bob, interactionId, { to });
    expect(await scene.now(interactionId)).toMatchObject({ notes: { given: 1 } });
    expect(scene.results).toEqual([]);
    await scene.approve(max, interactionId);
    expect(scene.results).toMatchObject([{ response: { action: "approve" } }]);
  });

  test("[R-5] asks other people instead of the person who made it, who may still answer, until it is handed back", async () => {
    const { scene, ada, bob, max, interactionId } = await openAsked();
    await using _ = scene;
    const askedAfter = async (by: Caller, named: Named) => {
      const interaction = await scene.gateway.handOver(by, interactionId, { to: named });
      return whoIsAsked(scene, interaction, [ada, bob, max]);
    };
    expect(await askedAfter(bob, { person: "max" })).toEqual(["ada", "max"]);
    expect(await askedAfter(max, { person: "bob" })).toEqual(["ada", "bob"]);
    expect(await askedAfter(bob, { person: "max" })).toEqual(["ada", "max"]);
    expect(await askedAfter(ada, { person: "bob" })).toEqual(["bob", "max"]);
    expect(await askedAfter(bob, { person: "ada" })).toEqual(["ada", "max"]);
    expect(await scene.approve(bob, interactionId)).toMatchObject({ status: "accepted" });
  });

  test.each([
    ["too few others can approve", { need: 3 }, { group: "managers" }],
    [
      "none of them has signed in",
      { steps: [{ who: [{ person: "zoe" }], afterMs: MINUTE_MS }] },
      { person: "zoe" },
    ],
    ["they are the requester", {}, { person: "bob" }],
  ])("[R-5] still asks the person who made it if %s", async (_case, changes, named) => {
    const policy = { who: [{ group: "ops" }], steps: STEPS, ...changes };
    const { scene, ada, bob, interactionId } = await openAsked({ responders: { default: policy } });
    await using _ = scene;
    const interaction = await scene.gateway.handOver(bob, interactionId, { to: named });
    expect(interaction.notes?.handOvers).toMatchObject([{ by: { person: "bob" } }]);
    expect(whoIsAsked(scene, interaction, [ada, bob])).toEqual(["ada", "bob"]);
  });

  test("[R-5] never leaves a request without a reachable person, counting neither lost roles nor earlier handovers", async () => {
    const { scene, ada, bob, max, interactionId } = await openAsked();
    await using _ = scene;
    const askedAfter = async (by: Caller, named: Named) => {
      const interaction = await scene.gateway.handOver(by, interactionId, { to: named });
      return whoIsAsked(scene, interaction, [ada, bob, max]);
    };
    scene.roles.set("max", "viewer");
    expect(await askedAfter(ada, { person: "bob" })).toEqual(["bob"]);
    expect(await askedAfter(bob, { group: "managers" })).toEqual(["bob", "max"]);
  });

  test("[R-5] leaves enough people who are asked, even with several handovers at once", async () => {
    const policy = { who: [{ group: "ops" }], steps: STEPS, need: 2 };
    const { scene, ada, bob, max, interactionId } = await openAsked({
      responders: { default: policy },
    });
    await using _ = scene;
    await Promise.all([ada, bob].map((who) => scene.gateway.handOver(who, interactionId, { to })));
    const interaction = await scene.now(interactionId);
    expect(interaction.notes?.given).toBe(2);
    expect(whoIsAsked(scene, interaction, [ada, bob, max])).toEqual(["bob", "max"]);
  });

  test("[R-5] is refused to people whom the policy never lets answer, from anyone", async () => {
    const { scene, ada, max, eve, interactionId } = await openAsked();
    await using _ = scene;
    const wide = [
      { person: "eve" },
      { person: eve.personId },
      { group: "sales" },
      { group: "managers", issuer: "https://other.example" },
      { person: "nobody" },
      // Similar names, with other letters or of another kind.
      { group: "m\u0430nagers" },
      { group: "Managers" },
      { group: "managers " },
      { person: "m\u0430x" },
      { person: "Max" },
      { person: "managers" },
      { group: "max" },
      { group: max.personId },
    ];
    for (const named of wide) {
      await expect(scene.gateway.handOver(ada, interactionId, { to: named })).rejects.toMatchObject(
        refused("INVALID_REQUEST"),
      );
    }
    const owner = await scene.signIn("olga", {}, "owner");
    for (const who of [max, eve, owner, local]) {
      await expect(scene.gateway.handOver(who, interactionId, { to })).rejects.toMatchObject(
        refused("NOT_RESPONDER"),
      );
    }
    // Max is in it as well; but a hand-over names its group, and this one is in no policy.
    const { group } = EVERYBODY;
    await expect(
      scene.gateway.handOver(ada, interactionId, { to: { group } }),
    ).rejects.toMatchObject(refused("INVALID_REQUEST"));
    // One of them by name, as the issuer knows them.
    await scene.gateway.handOver(ada, interactionId, { to: { person: "max" } });
    await expect(scene.approve(eve, interactionId)).rejects.toMatchObject(refused("NOT_RESPONDER"));
    expect(await scene.approve(max, interactionId)).toMatchObject({ status: "accepted" });
  });

  test("[R-5] is closed to the requester, and does not make a requester an approver", async () => {
    const steps = [{ who: [{ group: "managers" }], afterMs: 60 * MINUTE_MS }];
    const policy = { who: [{ group: "ops" }], steps, notRequester: true, need: 2 };
    const { scene, ada, bob, max, interactionId } = await openAsked({
      responders: { default: policy },
    });
    await using _ = scene;
    const handOver = (who: Caller, named: object) =>
      scene.gateway.handOver(who, interactionId, { to: named as typeof to });
    await expect(handOver(ada, to)).rejects.toMatchObject(refused("NOT_RESPONDER"));
    await handOver(bob, { person: "ada" });
    await expect(scene.approve(ada, interactionId)).rejects.toMatchObject(refused("NOT_RESPONDER"));
    // Two approvals are still needed, with one vote each.
    await handOver(bob, to);
    await scene.approve(max, interactionId);
    await scene.approve(max, interactionId);
    expect(scene.results).toEqual([]);
    await scene.approve(bob, interactionId);
    expect(scene.results).toMatchObject([{ response: { action: "approve" } }]);
  });

  test("[R-5] no longer lets a vote count after its person has lost the group", async () => {
    const steps = [{ who: [{ group: "managers" }], afterMs: 60 * MINUTE_MS }];
    const { scene, ada, bob, max, interactionId } = await openAsked({
      responders: { default: { who: [{ group: "ops" }], steps, need: 2 } },
    });
    await using _ = scene;
    await scene.gateway.handOver(bob, interactionId, { to });
    await scene.approve(max, interactionId);
    scene.roles.set("max", "viewer");
    await scene.approve(ada, interactionId);
    expect(scene.results).toEqual([]);
    // A denial also drops votes that no longer count.
    scene.roles.set("ada", "viewer");
    await scene.deny(bob, interactionId);
    expect(await scene.now(interactionId)).toMatchObject({
      votes: [],
      response: { action: "deny" },
    });
  });

  test("[R-20] to one person counts once in any spelling of the address, and rings once", async () => {
    const { scene, ada, interactionId } = await openAsked();
    await using _ = scene;
    await scene.signIn("moe", { email: "moe@example.org", groups: ["managers"] });
    for (const person of ["moe@example.org", "Moe@Example.org", "MOE@EXAMPLE.ORG"]) {
      await scene.gateway.handOver(ada, interactionId, { to: { person } });
    }
    expect((await scene.now(interactionId)).notes?.given).toBe(1);
  });

  test("is refused if everyone may answer", async () => {
    await using scene = await openResponderScene();
    const ada = await scene.signIn("ada");
    const { interactionId } = await scene.ask(ada);
    await expect(scene.gateway.handOver(ada, interactionId, { to })).rejects.toThrow(
      "Everyone can already answer this.",
    );
  });
});

test("[R-20] a viewer may remind, once in five minutes, and only of pending requests", async () => {
  const { scene, bob, interactionId } = await openAsked({ holdTimeoutMs: 60 * MINUTE_MS });
  await using _ = scene;
  const vera: Caller = { ...bob, personId: "per_vera", person: "vera", role: "viewer" };
  const times = async (who: Caller) =>
    (await scene.gateway.remind(who, interactionId)).notes?.reminded?.times;
  expect(await times(vera)).toBe(1);
  expect(await times(bob)).toBe(1);
  await scene.clock.advance(NOTE_LIMITS.remindEveryMs);
  expect(await times(bob)).toBe(2);
  expect(scene.results).toEqual([]);
  await scene.clock.advance(60 * MINUTE_MS);
  await expect(times(vera)).rejects.toMatchObject(refused("INVALID_REQUEST"));
});

test("[R-10] a row that was read before a comment does not overwrite it", async () => {
  const { scene, ada, interactionId } = await openAsked();
  await using _ = scene;
  const log = createLog(scene);
  const before = await scene.store.getInteraction(interactionId);
  if (!before) throw new Error("It is gone.");
  const { sessionId } = before.interaction;
  const said = await comment(scene, ada, interactionId);
  const noted = { ...before, interaction: { ...before.interaction, notes: said.notes } };
  const write = (row: typeof before, expectedAdded: number) =>
    log.append({ sessionId, interactions: [{ row, expectedStatus: "pending", expectedAdded }] });
  expect(await write(noted, 1)).toMatchObject({ status: "appended" });
  expect(await write(before, 0)).toMatchObject({
    conflict: { current: { interaction: { notes: { given: 1 } } } },
  });
  expect(await scene.now(interactionId)).toMatchObject({ notes: { given: 1 } });
});

import type { Caller, Interaction, ResponderPolicy } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { NO_PEOPLE } from "../ports/people.ts";
import { aDeploy } from "../testing/ask-scene.ts";
import { createLog } from "../testing/create-log.ts";
import { approval, ada as local, question } from "../testing/gateway-fixture.ts";
import {
  EVERYBODY,
  HOME,
  openResponderScene,
  type ResponderScene,
} from "../testing/responder-scene.ts";

const TWO = { responders: { default: { need: 2 } } };
const OPS = { responders: { default: { who: [{ group: "ops" }] } } };
const MINUTE_MS = 60_000;

const refused = (code: string) => ({ code });
const namesOf = ({ votes = [] }: Interaction) => votes.map(({ person }) => person);

/** A scene with two people of the group ops and one of another group, and a request of the first person's agent. */
async function openOps(options: Parameters<typeof openResponderScene>[0]) {
  const scene = await openResponderScene(options);
  const [ada, bob] = await Promise.all(
    ["ada", "bob"].map((name) => scene.signIn(name, { groups: ["ops"] })),
  );
  const eve = await scene.signIn("eve", { groups: ["sales"] });
  const { interactionId } = await scene.ask(ada!);
  return { scene, ada: ada!, bob: bob!, eve, interactionId };
}

async function typesOf(scene: ResponderScene, interactionId: string): Promise<string[]> {
  const { sessionId } = await scene.now(interactionId);
  return (await scene.eventTypes(sessionId)).filter((type) => type.startsWith("interaction_"));
}

describe("a person with accounts at two issuers, by one verified address,", () => {
  const ELSEWHERE = "https://elsewhere.example";
  const people = {
    ...NO_PEOPLE,
    issuers: [HOME, ELSEWHERE],
    newSessionsFor: [EVERYBODY],
    roleOf: () => "responder" as const,
  };
  const sees = { group: EVERYBODY.group, issuer: ELSEWHERE };

  /** Ada, the same name at another issuer, and bob. */
  async function openTwice(policy: ResponderPolicy) {
    const scene = await openResponderScene({
      people: { ...people, newSessionsFor: [EVERYBODY, sees] },
      responders: { default: policy },
    });
    const ada = await scene.signIn("ada", { email: "ada@example.org" });
    const again = await scene.signIn("a.", { email: "Ada@Example.org", issuer: ELSEWHERE });
    const bob = await scene.signIn("bob", { email: "bob@example.org", issuer: ELSEWHERE });
    const { interactionId } = await scene.ask(ada);
    return { scene, ada, again, bob, interactionId };
  }

  test("[R-5] has one vote, also where both come at the same instant", async () => {
    const { scene, ada, again, bob, interactionId } = await openTwice({ need: 2 });
    await using _ = scene;
    await Promise.all([ada, again].map((who) => scene.approve(who, interactionId)));
    expect((await scene.now(interactionId)).votes).toHaveLength(1);
    await scene.approve(ada, interactionId);
    await scene.approve(again, interactionId);
    expect(scene.results).toEqual([]);
    await scene.approve(bob, interactionId);
    expect(scene.results).toMatchObject([{ response: { action: "approve" } }]);
  });

  test("[R-5] is the requester, with each of them", async () => {
    const { scene, again, bob, interactionId } = await openTwice({
      notRequester: true,
      who: [EVERYBODY, sees],
    });
    await using _ = scene;
    await expect(scene.approve(again, interactionId)).rejects.toMatchObject(
      refused("NOT_RESPONDER"),
    );
    // They cannot choose who allows it, either.
    const to = { group: EVERYBODY.group, issuer: ELSEWHERE };
    await expect(scene.gateway.handOver(again, interactionId, { to })).rejects.toMatchObject(
      refused("NOT_RESPONDER"),
    );
    await scene.approve(bob, interactionId);
    expect(scene.results).toMatchObject([{ response: { action: "approve" } }]);
  });

  test("[R-5] denies with any of them", async () => {
    const { scene, again, interactionId } = await openTwice({ notRequester: true, need: 2 });
    await using _ = scene;
    await scene.deny(again, interactionId);
    expect(scene.results).toMatchObject([{ response: { action: "deny" } }]);
  });
});

describe("with two people needed", () => {
  test("[R-1] [R-4] the first yes is a vote, and the second one settles: the agent gets it once", async () => {
    const { scene, ada, bob, interactionId } = await openOps(TWO);
    await using _ = scene;
    const first = await scene.approve(ada, interactionId, { idempotencyKey: "key-of-ada" });
    expect(first).toMatchObject({ status: "accepted", interaction: { status: "pending" } });
    expect(scene.results).toEqual([]);
    // Sent again with and without its key, and from another device, it is one vote.
    await scene.approve(ada, interactionId, { idempotencyKey: "key-of-ada" });
    const laptop = await scene.signIn("ada", { groups: ["ops"] });
    await scene.approve(laptop, interactionId);
    expect(namesOf(await scene.now(interactionId))).toEqual(["ada"]);
    expect(scene.results).toEqual([]);
    const last = await scene.approve(bob, interactionId);
    expect(last).toMatchObject({ status: "accepted" });
    expect(scene.results).toMatchObject([{ outcome: "answered", response: { action: "approve" } }]);
    expect(namesOf(await scene.now(interactionId))).toEqual(["ada", "bob"]);
    expect(await typesOf(scene, interactionId)).toEqual([
      "interaction_request",
      "interaction_vote",
      "interaction_response",
      "interaction_delivered",
    ]);
    // A late copy of the first vote is confirmed as counted; everyone else gets the winner.
    const late = await scene.approve(ada, interactionId, { idempotencyKey: "key-of-ada" });
    expect(late).toMatchObject({ status: "accepted", interaction: { status: "delivered" } });
    expect(await scene.deny(ada, interactionId)).toMatchObject({
      problem: { code: "ALREADY_ANSWERED", winner: { action: "approve" } },
    });
    expect(scene.results).toHaveLength(1);
  });

  test("[R-1] a thief of one person's token has one vote, whatever they make with it", async () => {
    const { scene, bob } = await openOps(TWO);
    await using _ = scene;
    const olga = await scene.signIn("olga", {}, "owner");
    const { interactionId } = await scene.ask(bob);
    await scene.approve(olga, interactionId);
    await scene.gateway.createProgramToken(olga, {
      label: "mine",
      scope: "respond",
      expiresInDays: 30,
    });
    const made = (await scene.gateway.credentials.list()).find(({ kind }) => kind === "program");
    const { personId, signIn, person, tokenId } = made!;
    expect([personId, signIn?.subject]).toEqual(["per_olga", "olga"]);
    const thief: Caller = {
      ...olga,
      person,
      client: "curl",
      clientId: "another",
      tokenId: tokenId,
    };
    const renamed: Caller = { ...thief, person: "bob" };
    for (const who of [thief, renamed]) await scene.approve(who, interactionId);
    expect(namesOf(await scene.now(interactionId))).toEqual(["olga"]);
    expect(scene.results).toEqual([]);
    // A person without an issuer's sign-in is not one of the two.
    const { signIn: _signIn, ...bare } = bob;
    await expect(scene.approve(bare, interactionId)).rejects.toMatchObject(
      refused("NOT_RESPONDER"),
    );
  });

  test("[R-1] [R-10] two phones of two people at the same instant settle it, and no vote is lost", async () => {
    for (const need of [2, 3]) {
      const { scene, ada, bob, interactionId } = await openOps({
        responders: { default: { need } },
      });
      await using _ = scene;
      const results = await Promise.all([ada, bob].map((one) => scene.approve(one, interactionId)));
      expect(results.map(({ status }) => status)).toEqual(["accepted", "accepted"]);
      const { status } = await scene.now(interactionId);
      expect(status).toBe(need === 2 ? "delivered" : "pending");
      expect(namesOf(await scene.now(interactionId)).toSorted()).toEqual(["ada", "bob"]);
      expect(scene.results).toHaveLength(need === 2 ? 1 : 0);
    }
  });

  test("[R-1] a yes and a no at the same instant are a no", async () => {
    const { scene, ada, bob, interactionId } = await openOps(TWO);
    await using _ = scene;
    await Promise.all([scene.approve(ada, interactionId), scene.deny(bob, interactionId)]);
    expect(scene.results).toMatchObject([{ response: { action: "deny" } }]);
  });

  test("[R-10] no other write of the interaction undoes a vote", async () => {
    const { scene, ada, interactionId } = await openOps(TWO);
    await using _ = scene;
    const log = createLog(scene);
    const row = await scene.store.getInteraction(interactionId);
    if (!row) throw new Error("It is gone.");
    await scene.approve(ada, interactionId);
    const { sessionId } = row.interaction;
    const write = { row, expectedStatus: "pending", expectedHold: "held" } as const;
    const result = await log.append({ sessionId, interactions: [write] });
    expect(result).toMatchObject({ conflict: { current: { interaction: { votesGiven: 1 } } } });
    expect(namesOf(await scene.now(interactionId))).toEqual(["ada"]);
  });

  test("[R-2] a gateway that is killed between the votes still has the first one", async () => {
    const { scene, ada, bob, interactionId } = await openOps({
      ...TWO,
      reattachGraceMs: 1,
    });
    await scene.approve(ada, interactionId);
    await using next = await scene.restart();
    await next.clock.advance(1000);
    expect(await next.now(interactionId)).toMatchObject({ status: "orphaned" });
    expect(namesOf(await next.now(interactionId))).toEqual(["ada"]);
    await next.approve(ada, interactionId);
    expect(await next.now(interactionId)).toMatchObject({ status: "orphaned" });
    const last = await next.approve(bob, interactionId);
    expect(last).toMatchObject({ status: "accepted", interaction: { status: "answered" } });
  });

  test("[R-2] [R-4] votes survive parking and the end of the gateway, and the last one starts the agent again", async () => {
    const { scene, ada, bob, interactionId } = await openOps({
      ...TWO,
      transcripts: new Map(),
      holdTimeoutMs: Infinity,
      availabilityGraceMs: 0,
    });
    await scene.approve(ada, interactionId);
    // No one is connected: pending requests are parked.
    await scene.clock.advance(1000);
    expect(await scene.now(interactionId)).toMatchObject({ hold: "parked", votesGiven: 1 });
    await using next = await scene.restart();
    await next.clock.advance(1000);
    await next.approve(ada, interactionId);
    expect(await next.now(interactionId)).toMatchObject({ status: "pending", hold: "parked" });
    await next.approve(bob, interactionId);
    await next.clock.advance(1000);
    expect(await next.now(interactionId)).toMatchObject({ status: "delivered", how: "resumed" });
    expect(next.results).toMatchObject([{ outcome: "answered", response: { action: "approve" } }]);
  });

  test("[R-5] a vote does not count while its person has lost the role", async () => {
    const { scene, ada, bob, interactionId } = await openOps(TWO);
    await using _ = scene;
    await scene.approve(ada, interactionId);
    scene.roles.set("ada", "viewer");
    await scene.approve(bob, interactionId);
    expect(namesOf(await scene.now(interactionId))).toEqual(["bob"]);
    expect(scene.results).toEqual([]);
    scene.roles.set("ada", "responder");
    await scene.approve(ada, interactionId);
    expect(scene.results).toMatchObject([{ response: { action: "approve" } }]);
  });

  test("[R-5] a vote no longer counts once its person has left the group, or has no sign-in", async () => {
    const { scene, ada, bob, interactionId } = await openOps({
      responders: { default: { need: 2, who: [{ group: "ops" }] } },
    });
    await using _ = scene;
    const dan = await scene.signIn("dan", { groups: ["ops"] });
    await scene.approve(bob, interactionId);
    const atMs = scene.clock.now();
    const left = { issuer: HOME, subject: "bob", groups: ["sales"], confirmedAtMs: atMs };
    await scene.gateway.credentials.confirm(bob.personId, left);
    await scene.approve(dan, interactionId);
    expect(namesOf(await scene.now(interactionId))).toEqual(["dan"]);
    await scene.gateway.credentials.revoke(dan.tokenId ?? "");
    await scene.approve(ada, interactionId);
    expect(namesOf(await scene.now(interactionId))).toEqual(["ada"]);
    expect(scene.results).toEqual([]);
  });

  test("[R-5] [R-11] an edit, or a yes for longer, is not one of several", async () => {
    const request = (id: string) =>
      approval(id, { editable: true, scopes: ["once", "session", "always"], grantKey: "k" });
    const { scene, ada, interactionId } = await openOps({ ...TWO, request });
    await using _ = scene;
    expect((await scene.now(interactionId)).approval).toMatchObject({
      editable: false,
      scopes: ["once"],
    });
    for (const more of [
      { editedInput: { command: "true" } },
      { approvalScope: "session" as const },
    ]) {
      expect(await scene.approve(ada, interactionId, more)).toMatchObject({
        problem: { code: "INVALID_RESPONSE" },
      });
    }
    expect(await scene.approve(ada, interactionId, { digest: "other" })).toMatchObject({
      problem: { code: "DIGEST_MISMATCH" },
    });
    expect(await scene.now(interactionId)).not.toHaveProperty("votes");
  });

  test("[R-5] an expiry after a vote is neither a yes nor a no of anyone", async () => {
    const { scene, ada, interactionId } = await openOps(TWO);
    await using _ = scene;
    await scene.approve(ada, interactionId);
    // No one is left who could answer.
    scene.roles.clear();
    await scene.clock.advance(10 * MINUTE_MS - 1);
    expect(await scene.now(interactionId)).toMatchObject({ status: "pending" });
    await scene.clock.advance(1);
    expect(await scene.now(interactionId)).toMatchObject({ status: "expired" });
    expect(await scene.now(interactionId)).not.toHaveProperty("by");
    expect(scene.results).toMatchObject([{ outcome: "expired" }]);
  });

  test("a question needs two people only if its tool's policy requires them", async () => {
    await using common = await openResponderScene({ ...TWO, request: question });
    const ada = await common.signIn("ada");
    expect(await common.ask(ada)).not.toHaveProperty("responders");
    await using named = await openResponderScene({
      responders: { tools: { AskUserQuestion: { need: 2 } } },
      request: question,
    });
    await expect(named.ask(await named.signIn("ada"))).rejects.toThrow("Nothing is asked.");
    expect(named.results).toMatchObject([{ outcome: "withdrawn", code: "INVALID_REQUEST" }]);
  });
});

describe("a person who is not named", () => {
  test("[R-5] [R-13] is refused on every route, owner or not, and changes nothing", async () => {
    const { scene, eve, interactionId } = await openOps(OPS);
    await using _ = scene;
    const owner = await scene.signIn("olga", { groups: ["boss"] }, "owner");
    const asked = await scene.now(interactionId);
    const { sessionId, toolCallId, approval: shown } = asked;
    const digest = shown?.digest ?? "";
    for (const who of [eve, owner, local]) {
      const { gateway } = scene;
      for (const attempt of [
        () => scene.approve(who, interactionId),
        () => scene.deny(who, interactionId, { stopTurn: true }),
        () => gateway.respond(who, interactionId, { action: "cancel" }),
        () => gateway.approveTool(who, sessionId, { toolCallId, digest }),
        () => gateway.denyTool(who, sessionId, { toolCallId }),
      ]) {
        await expect(attempt()).rejects.toMatchObject(refused("NOT_RESPONDER"));
      }
    }
    expect(await scene.now(interactionId)).toEqual(asked);
    expect(await typesOf(scene, interactionId)).toEqual(["interaction_request"]);
  });

  test("[R-5] can neither answer late, nor withdraw the question or an answer", async () => {
    const { scene, bob, eve, interactionId } = await openOps(OPS);
    await using _ = scene;
    const owner = await scene.signIn("olga", {}, "owner");
    await scene.clock.advance(10 * MINUTE_MS);
    for (const who of [eve, owner]) {
      await expect(scene.approve(who, interactionId)).rejects.toMatchObject(
        refused("NOT_RESPONDER"),
      );
      await expect(scene.gateway.dismissInteraction(who, interactionId)).rejects.toMatchObject(
        refused("NOT_RESPONDER"),
      );
    }
    await scene.deny(bob, interactionId, { undoMs: 5000 });
    const answeredAt = (await scene.now(interactionId)).by?.at ?? "";
    await expect(
      scene.gateway.undoResponse(owner, interactionId, { answeredAt }),
    ).rejects.toMatchObject(refused("NOT_RESPONDER"));
    expect(await scene.now(interactionId)).toMatchObject({ response: { action: "deny" } });
    expect(await scene.gateway.undoResponse(bob, interactionId, { answeredAt })).toMatchObject({
      status: "expired",
    });
  });

  test("[R-13] cannot be a viewer of the group, or an agent's credential of one of its people", async () => {
    const { scene, bob, interactionId } = await openOps(OPS);
    await using _ = scene;
    const viewer: Caller = { ...bob, role: "viewer" };
    const agent: Caller = { ...bob, principal: "agent" };
    const reader: Caller = { ...bob, scope: "read" };
    for (const who of [viewer, agent, reader]) {
      await expect(
        scene.gateway.respond(who, interactionId, { action: "deny" }),
      ).rejects.toMatchObject(refused("FORBIDDEN"));
    }
  });

  test("[R-5] cannot use earlier grants or rules: only a late approval by the same people counts", async () => {
    const request = (id: string) =>
      approval(id, { input: { command: "make" }, scopes: ["once", "always"], grantKey: "make" });
    await using before = await openResponderScene({ request });
    const owner = await before.signIn("olga", {}, "owner");
    const { interactionId } = await before.ask(owner);
    await before.approve(owner, interactionId, { approvalScope: "always" });
    expect(before.results).toHaveLength(1);
    await before.gateway.close();
    await using after = await openResponderScene({
      ...OPS,
      request,
      store: before.store,
      clock: before.clock,
      ids: before.ids,
    });
    expect((await after.gateway.listGrants(owner, { limit: 10 })).items).toHaveLength(1);
    const ada = await after.signIn("ada", { groups: ["ops"] });
    const { sessionId, interactionId: second } = await after.ask(ada);
    await after.clock.advance(10 * MINUTE_MS);
    await after.approve(ada, second);
    await after.gateway.sendMessage(ada, sessionId, { content: "again", queue: true });
    await after.clock.settle();
    // The late yes of the same people allows the call once.
    expect(after.results.slice(1)).toMatchObject([{ outcome: "answered" }]);
  });
});

describe("the requester", () => {
  const OTHER = { responders: { default: { notRequester: true } } };

  test("[R-5] can say no and never yes, as the session's creator and as the sender of any message", async () => {
    const { scene, ada, bob, eve } = await openOps(OTHER);
    await using _ = scene;
    const { sessionId } = await scene.gateway.createSession(ada, { agent: "scripted" });
    await scene.gateway.sendMessage(bob, sessionId, { content: "go", queue: true });
    await scene.clock.settle();
    const [asked] = (await scene.interactions("pending")).filter(
      (one) => one.sessionId === sessionId,
    );
    const { interactionId } = asked!;
    for (const who of [ada, bob]) {
      await expect(scene.approve(who, interactionId)).rejects.toMatchObject(
        refused("NOT_RESPONDER"),
      );
    }
    await scene.approve(eve, interactionId);
    expect(scene.results).toMatchObject([{ response: { action: "approve" } }]);
  });

  test("[R-5] without a sign-in at an issuer lets no one say yes, and everyone no", async () => {
    await using scene = await openResponderScene(OTHER);
    const bob = await scene.signIn("bob", {}, "owner");
    const { interactionId } = await scene.ask(local);
    expect((await scene.now(interactionId)).responders).toMatchObject({
      blocked: "requester_unknown",
    });
    for (const who of [bob, local]) {
      await expect(scene.approve(who, interactionId)).rejects.toMatchObject(
        refused("NOT_RESPONDER"),
      );
    }
    await scene.deny(bob, interactionId);
    expect(scene.results).toMatchObject([{ response: { action: "deny" } }]);
  });
});

describe("on a gateway whose people sign in nowhere", () => {
  test.each([
    ["two people", { need: 2 }],
    ["a group", { who: [{ group: "ops" }] }],
    ["someone else", { notRequester: true }],
  ])(
    "[R-5] a policy that needs %s has no possible approver, takes a no and never a yes",
    async (_, policy) => {
      const people = NO_PEOPLE;
      await using scene = await openResponderScene({ responders: { default: policy }, people });
      const { interactionId } = await scene.ask(local);
      expect((await scene.now(interactionId)).responders).toMatchObject({
        blocked: "nobody_signs_in",
      });
      await expect(scene.approve(local, interactionId)).rejects.toThrow("No one can allow this");
      await scene.deny(local, interactionId);
      expect(scene.results).toMatchObject([{ response: { action: "deny" } }]);
    },
  );
});

test("[R-5] steps add people by the gateway's clock, even over a restart", async () => {
  const steps = [{ who: [{ group: "sales" }], afterMs: 5 * MINUTE_MS }];
  const { scene, bob, eve, interactionId } = await openOps({
    responders: { default: { who: [{ person: "bob" }], steps } },
    reattachGraceMs: 1,
  });
  await expect(scene.approve(eve, interactionId)).rejects.toThrow("You can answer this later");
  await scene.clock.advance(5 * MINUTE_MS - 1000);
  await using next = await scene.restart();
  await next.clock.advance(500);
  await expect(next.approve(eve, interactionId)).rejects.toMatchObject(refused("NOT_RESPONDER"));
  await next.clock.advance(500);
  expect(await next.approve(eve, interactionId)).toMatchObject({ status: "accepted" });
  expect(await next.approve(bob, interactionId)).toMatchObject({
    problem: { code: "ALREADY_ANSWERED" },
  });
});

describe("[R-5] [R-13] an agent that names responders itself", () => {
  test("only narrows the config's policy", async () => {
    const request = (id: string) =>
      approval(id, { responders: [{ who: [{ group: "sales" }, { group: "ops" }], need: 1 }] });
    const { scene, ada, bob, eve, interactionId } = await openOps({
      responders: { tools: { bash: { who: [{ group: "ops" }], need: 2 } } },
      request,
    });
    await using _ = scene;
    await expect(scene.approve(eve, interactionId)).rejects.toMatchObject(refused("NOT_RESPONDER"));
    await scene.approve(ada, interactionId);
    expect(scene.results).toEqual([]);
    await scene.approve(bob, interactionId);
    expect(scene.results).toMatchObject([{ response: { action: "approve" } }]);
  });

  test("with an agent's token as a program: its ask stays open until enough people have said yes", async () => {
    const { scene, ada, bob, eve } = await openOps({
      responders: { tools: { ask: { who: [{ group: "ops" }], need: 2 } } },
    });
    await using _ = scene;
    const owner = await scene.signIn("olga", {}, "owner");
    const { sessionId, tokenId } = await scene.gateway.createAgentToken(owner, { label: "ci" });
    const program = {
      principal: "agent",
      person: "olga",
      client: "ci",
      sessionId,
      tokenId,
    } as const;
    const body = aDeploy({ responders: { who: [{ group: "sales" }, { group: "ops" }] } });
    const { interactionId } = await scene.gateway.createAsk(program, body);
    await expect(scene.approve(eve, interactionId)).rejects.toMatchObject(refused("NOT_RESPONDER"));
    await scene.approve(ada, interactionId);
    const waiting = await scene.gateway.getAsk(program, interactionId, {});
    expect(waiting).toMatchObject({ status: "pending" });
    expect(waiting).not.toHaveProperty("response");
    expect(waiting).not.toHaveProperty("input");
    await scene.approve(bob, interactionId);
    expect(await scene.gateway.getAsk(program, interactionId, {})).toMatchObject({
      response: { action: "approve" },
    });
  });
});

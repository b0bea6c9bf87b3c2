import type { Interaction, RespondBody } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import {
  ada,
  approval,
  askOnce,
  bob,
  never,
  openFixture,
  question,
  say,
  type FixtureOptions,
  type GatewayFixture,
} from "../testing/gateway-fixture.ts";
import { createScriptedAdapter, type TurnScript } from "../testing/scripted-adapter.ts";

const PARKED_MS = 121_000;
const UNDO_MS = 5000;

interface Answered {
  readonly interactionId: string;
  readonly answeredAt: string;
}

/** A session that is parked at an approval. */
async function openParked(options: FixtureOptions = {}) {
  const script: TurnScript = async (message, context) =>
    message.content === "go" ? askOnce()(message, context) : { reason: "done" };
  const adapter = options.adapter ?? createScriptedAdapter(script, { canPark: true });
  const fixture = await openFixture(script, { holdTimeoutMs: Infinity, ...options, adapter });
  fixture.gateway.announceClient({ ...ada, clientId: "page" }, { signal: never });
  const sessionId = await fixture.createSession();
  await fixture.send(sessionId, "go");
  await fixture.clock.advance(PARKED_MS);
  const status = async () => (await fixture.gateway.getSession(ada, sessionId)).status;
  return { fixture, adapter, sessionId, status };
}

async function answer(
  { gateway, clock }: GatewayFixture,
  { interactionId, approval: shown }: Interaction,
  body: Partial<RespondBody> = {},
): Promise<Answered> {
  const result = await gateway.respond(ada, interactionId, {
    action: "approve",
    ...(shown && { digest: shown.digest }),
    undoMs: UNDO_MS,
    ...body,
  });
  if (result.status !== "accepted") throw new Error("The response was refused.");
  await clock.settle();
  return { interactionId, answeredAt: result.interaction.by?.at ?? "" };
}

async function undo({ gateway }: GatewayFixture, { interactionId, answeredAt }: Answered) {
  return gateway.undoResponse(ada, interactionId, { answeredAt });
}

describe("an answer to a parked interaction", () => {
  test("[R-13] is taken back by an owner and by its author, and by no other responder", async () => {
    const { fixture } = await openParked();
    await using _ = fixture;
    const [pending] = await fixture.interactions("pending");
    const given = await answer(fixture, pending!, { action: "deny" });
    const { interactionId, answeredAt } = given;
    const eve = { ...bob, personId: "per_eve", role: "responder" as const };
    await expect(
      fixture.gateway.undoResponse(eve, interactionId, { answeredAt }),
    ).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect((await undo(fixture, given)).status).toBe("pending");
  });

  test("[R-4] can be taken back for 5 s: then the request is open again, and another answer counts", async () => {
    const { fixture, adapter, sessionId, status } = await openParked();
    await using _ = fixture;
    const [parked] = await fixture.interactions("pending");
    const given = await answer(fixture, parked!);
    await fixture.clock.advance(UNDO_MS - 1);
    expect(adapter.opened).toHaveLength(1);
    expect(await status()).toBe("parked");
    expect(await undo(fixture, given)).toEqual({ ...parked, reopenings: 1 });
    expect(await undo(fixture, given)).toEqual({ ...parked, reopenings: 1 });
    await fixture.clock.advance(10 * UNDO_MS);
    expect(adapter.opened).toHaveLength(1);
    expect(await status()).toBe("parked");
    await answer(fixture, parked!, { action: "deny" });
    await fixture.clock.advance(UNDO_MS);
    const [delivered] = await fixture.interactions("delivered");
    expect(delivered).toMatchObject({ how: "resumed", response: { action: "deny" } });
    const types = (await fixture.eventTypes(sessionId)).slice(6, 9);
    expect(types).toEqual(["interaction_response", "interaction_reopened", "interaction_response"]);
    expect(fixture.clock.timerCount).toBe(0);
    expect(fixture.errors).toEqual([]);
  });

  test("[R-4] goes to the agent after that, and can no longer be taken back", async () => {
    const { fixture, status } = await openParked();
    await using _ = fixture;
    const [parked] = await fixture.interactions("pending");
    const given = await answer(fixture, parked!);
    await fixture.clock.advance(UNDO_MS);
    expect(await fixture.interactions("delivered")).toHaveLength(1);
    await expect(undo(fixture, given)).rejects.toMatchObject({ code: "ALREADY_ANSWERED" });
    expect(await status()).toBe("idle");
  });

  test("[R-8] keeps messages behind it while it can be taken back", async () => {
    const { fixture, adapter, sessionId } = await openParked();
    await using _ = fixture;
    const [parked] = await fixture.interactions("pending");
    const given = await answer(fixture, parked!);
    await fixture.send(sessionId, "and then");
    await fixture.clock.advance(UNDO_MS - 1);
    expect(adapter.opened).toHaveLength(1);
    await undo(fixture, given);
    await fixture.clock.advance(UNDO_MS);
    expect(adapter.opened).toHaveLength(1);
    expect(adapter.messages).toHaveLength(1);
    await answer(fixture, parked!);
    await fixture.clock.advance(UNDO_MS);
    expect(adapter.messages.at(-1)?.content).toBe("and then");
  });

  test("[R-2] is delivered by the next gateway if this one ends before", async () => {
    const { fixture, adapter } = await openParked();
    const [parked] = await fixture.interactions("pending");
    const given = await answer(fixture, parked!);
    await fixture.gateway[Symbol.asyncDispose]();
    const { store, clock, ids } = fixture;
    await using next = await openFixture(askOnce(), { store, clock, ids, adapter });
    await next.clock.settle();
    expect(await next.interactions("delivered")).toMatchObject([{ how: "resumed" }]);
    await expect(undo(next, given)).rejects.toMatchObject({ code: "ALREADY_ANSWERED" });
  });

  test("[R-1] is not given again by a copy of its request after it was taken back", async () => {
    const { fixture } = await openParked();
    await using _ = fixture;
    const [parked] = await fixture.interactions("pending");
    const idempotencyKey = "key-of-the-first";
    await undo(fixture, await answer(fixture, parked!, { idempotencyKey }));
    await expect(answer(fixture, parked!, { idempotencyKey })).rejects.toMatchObject({
      code: "KEY_REUSED",
    });
    expect(await fixture.interactions("pending")).toHaveLength(1);
  });

  test("[R-1] is not taken back by another person's late undo of the first answer", async () => {
    const { fixture } = await openParked();
    await using _ = fixture;
    const [parked] = await fixture.interactions("pending");
    const first = await answer(fixture, parked!);
    await undo(fixture, first);
    await fixture.clock.advance(1);
    const { interactionId } = first;
    await fixture.gateway.respond(bob, interactionId, { action: "deny", undoMs: UNDO_MS });
    await expect(undo(fixture, first)).rejects.toMatchObject({ code: "ALREADY_ANSWERED" });
    await fixture.clock.advance(UNDO_MS);
    expect(await fixture.interactions("delivered")).toMatchObject([{ by: { person: "Bob" } }]);
  });

  test("[R-13] is taken back by no client with interaction off", async () => {
    const { fixture } = await openParked();
    await using _ = fixture;
    const [parked] = await fixture.interactions("pending");
    const { interactionId, answeredAt } = await answer(fixture, parked!);
    const phone = { ...ada, clientId: "phone" };
    await fixture.gateway.setInteractionMode(phone, "phone", { enabled: false });
    await expect(
      fixture.gateway.undoResponse(phone, interactionId, { answeredAt }),
    ).rejects.toMatchObject({ code: "INTERACTION_DISABLED" });
  });

  test("[R-14] leaves nothing behind when its session is deleted", async () => {
    const { fixture, sessionId } = await openParked();
    await using _ = fixture;
    const [parked] = await fixture.interactions("pending");
    const given = await answer(fixture, parked!);
    await fixture.gateway.deleteSession(ada, sessionId);
    await expect(undo(fixture, given)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await fixture.clock.advance(UNDO_MS);
    expect(fixture.clock.timerCount).toBe(0);
    expect(fixture.errors).toEqual([]);
  });
});

describe("an answer that a running agent waits for", () => {
  test("[R-4] reaches the agent at once, and cannot be taken back", async () => {
    await using fixture = await openFixture(askOnce());
    await fixture.send(await fixture.createSession(), "go");
    const [held] = await fixture.interactions("pending");
    const given = await answer(fixture, held!);
    const [delivered] = await fixture.interactions("delivered");
    expect(delivered).not.toHaveProperty("undoUntil");
    await expect(undo(fixture, given)).rejects.toMatchObject({ code: "ALREADY_ANSWERED" });
  });

  test("is still pending, so there is nothing to take back", async () => {
    await using fixture = await openFixture(askOnce());
    await fixture.send(await fixture.createSession(), "go");
    const [held] = await fixture.interactions("pending");
    const { interactionId } = held!;
    const same = await undo(fixture, { interactionId, answeredAt: held!.startedAt });
    expect(same).toMatchObject({ status: "pending" });
    await expect(
      undo(fixture, { interactionId: "int_none", answeredAt: held!.startedAt }),
    ).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("a late answer", () => {
  const LATE_MS = 600_000;
  const submit = {
    action: "submit" as const,
    answers: [{ questionId: "q1", selected: ["b"] }],
  };

  test("[R-4] is taken back with its message while that waits, and the next message is sent", async () => {
    await using fixture = await openFixture(async (message, context) => {
      if (message.content === "go") return askOnce(question)(message, context);
      await say(context, "m", "thanks");
      return { reason: "done" };
    });
    await fixture.send(await fixture.createSession(), "go");
    await fixture.clock.advance(LATE_MS);
    const [expired] = await fixture.interactions("expired");
    const given = await answer(fixture, expired!, submit);
    const { sessionId } = expired!;
    expect((await fixture.gateway.listQueue(ada, sessionId)).items).toHaveLength(1);
    expect(await undo(fixture, given)).toEqual({ ...expired, reopenings: 1 });
    await fixture.clock.advance(UNDO_MS);
    expect((await fixture.gateway.listQueue(ada, sessionId)).items).toEqual([]);
    expect(fixture.adapter.messages).toHaveLength(1);
    await answer(fixture, expired!, submit);
    await fixture.clock.advance(UNDO_MS);
    expect(fixture.adapter.messages).toHaveLength(2);
    expect(await fixture.interactions("delivered")).toMatchObject([{ how: "user_message" }]);
    expect(fixture.errors).toEqual([]);
  });

  test("[R-5] takes back the grant for one call that it left", async () => {
    await using fixture = await openFixture(
      askOnce((id) => approval(id, { grantKey: "k", onTimeout: "wait" })),
    );
    await fixture.send(await fixture.createSession(), "go");
    await fixture.clock.advance(LATE_MS);
    const [expired] = await fixture.interactions("expired");
    const given = await answer(fixture, expired!);
    expect((await fixture.gateway.listGrants(ada, { limit: 10 })).items).toHaveLength(1);
    await undo(fixture, given);
    expect((await fixture.gateway.listGrants(ada, { limit: 10 })).items).toEqual([]);
    const types = await fixture.eventTypes(expired!.sessionId);
    expect(types.slice(-2)).toEqual(["interaction_reopened", "grant_revoked"]);
  });
});

import type { RespondResult } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { createMemoryStore } from "../memory-store/memory-store.ts";
import type { HoldRequest, HoldResult } from "../ports/agent-adapter.ts";
import type { Store } from "../ports/store.ts";
import {
  ada,
  approval,
  askOnce,
  bob,
  never,
  openFixture,
  question,
} from "../testing/gateway-fixture.ts";
import { wrapStore, type StoreFaults } from "../testing/wrapped-store.ts";

async function openWithApproval(options: Parameters<typeof openFixture>[1] = {}) {
  const results: HoldResult[] = [];
  const fixture = await openFixture(async (message, context) => {
    const result = await context.hold(
      approval(message.messageId, { editable: true, scopes: ["once", "session"] }),
      { signal: never },
    );
    results.push(result);
    if (result.outcome === "answered") await result.delivered();
    return { reason: context.signal.aborted ? "stopped" : "done" };
  }, options);
  const sessionId = await fixture.createSession();
  await fixture.send(sessionId, "go");
  const [interaction] = await fixture.interactions("pending");
  const { interactionId, approval: asked } = interaction!;
  return { fixture, results, sessionId, interactionId, digest: asked!.digest };
}

describe("the winner", () => {
  test("[R-6] the agent gets exactly the stored input, and then the log records the delivery", async () => {
    const { fixture, results, sessionId, interactionId, digest } = await openWithApproval();
    await using _ = fixture;
    const result = await fixture.gateway.respond(ada, interactionId, { action: "approve", digest });
    expect(result).toMatchObject({
      status: "accepted",
      interaction: { status: "answered", by: { person: "Ada", client: "laptop" } },
    });
    await fixture.clock.settle();
    expect(results).toMatchObject([{ outcome: "answered", input: { command: "echo msg_1" } }]);
    expect((await fixture.eventTypes(sessionId)).slice(-3)).toEqual([
      "interaction_response",
      "interaction_delivered",
      "turn_ended",
    ]);
    expect(await fixture.gateway.getInteraction(ada, interactionId)).toMatchObject({
      status: "delivered",
      how: "resumed",
    });
  });

  test("[R-6] an edit is the input that runs", async () => {
    const { fixture, results, interactionId, digest } = await openWithApproval();
    await using _ = fixture;
    const editedInput = { command: "echo safe" };
    await fixture.gateway.respond(ada, interactionId, { action: "approve", digest, editedInput });
    await fixture.clock.settle();
    expect(results).toMatchObject([{ input: editedInput, response: { editedInput } }]);
  });

  test("[R-6] an edit that the agent's runtime would not run is refused, and nothing is answered", async () => {
    const { fixture, results, interactionId, digest } = await openWithApproval();
    await using _ = fixture;
    const problem = "It would run the original.";
    const asked: object[] = [];
    Object.assign(fixture.adapter, {
      problemOfEdit(edit: { editedInput: object }) {
        asked.push(edit);
        return Object.keys(edit.editedInput).length === 0 ? problem : undefined;
      },
    });
    const approve = { action: "approve", digest } as const;
    const respond = (body: object) =>
      fixture.gateway.respond(ada, interactionId, { ...approve, ...body });
    expect(await respond({ editedInput: {} })).toMatchObject({
      status: "refused",
      problem: { status: 422, code: "INVALID_RESPONSE", fieldErrors: { editedInput: problem } },
    });
    const input = { command: "echo msg_1" };
    expect(asked).toEqual([{ toolName: "Bash", editedInput: {}, input, askedBy: "agent" }]);
    await fixture.clock.settle();
    expect(results).toEqual([]);
    expect(await respond({ editedInput: { command: "" } })).toMatchObject({ status: "accepted" });
  });

  test("[R-5] [R-11] a denial and a cancel bring no input", async () => {
    for (const action of ["deny", "cancel"] as const) {
      const { fixture, results, interactionId } = await openWithApproval();
      await using _ = fixture;
      await fixture.gateway.respond(ada, interactionId, { action, reason: "no" });
      await fixture.clock.settle();
      expect(results).toMatchObject([{ response: { action: "deny", reason: "no" } }]);
      expect(results[0]).not.toHaveProperty("input");
    }
  });

  test("a denial that ends the turn stops it once the agent has it", async () => {
    const { fixture, sessionId, interactionId } = await openWithApproval();
    await using _ = fixture;
    await fixture.gateway.respond(ada, interactionId, { action: "deny", stopTurn: true });
    await fixture.clock.settle();
    expect(await fixture.interactions("delivered")).toHaveLength(1);
    expect((await fixture.events(sessionId)).at(-1)).toMatchObject({
      type: "turn_ended",
      reason: "stopped",
    });
  });

  test("the same idempotency key gets the same result, even from another client", async () => {
    const { fixture, sessionId, interactionId, digest } = await openWithApproval();
    await using _ = fixture;
    const body = { action: "approve", digest, idempotencyKey: "key-12345" } as const;
    const first = await fixture.gateway.respond(ada, interactionId, body);
    await fixture.clock.settle();
    const again = await fixture.gateway.respond(bob, interactionId, body);
    expect(first.status).toBe("accepted");
    expect(again).toMatchObject({ status: "accepted", interaction: { by: { person: "Ada" } } });
    const types = await fixture.eventTypes(sessionId);
    expect(types.filter((type) => type === "interaction_response")).toHaveLength(1);
  });
});

describe("[R-1] losers", () => {
  test("get the winning response", async () => {
    const { fixture, interactionId, digest } = await openWithApproval();
    await using _ = fixture;
    await fixture.gateway.respond(ada, interactionId, { action: "deny", reason: "no" });
    const lost = await fixture.gateway.respond(bob, interactionId, { action: "approve", digest });
    expect(lost).toMatchObject({
      status: "refused",
      problem: {
        code: "ALREADY_ANSWERED",
        status: 409,
        winner: { action: "deny", reason: "no", by: { person: "Ada" } },
      },
    });
  });

  test("a thousand races of two clients have one winner each", async () => {
    const rounds = 1000;
    await using fixture = await openFixture(
      async (_message, context) => {
        for (let round = 0; round < rounds; round += 1) {
          const result = await context.hold(approval(`t${round}`), { signal: never });
          if (result.outcome === "answered") await result.delivered();
        }
        return { reason: "done" };
      },
      { limits: { asksPerSecondPerSession: 1e9 } },
    );
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    const wins = { Ada: 0, Bob: 0 };
    for (let round = 0; round < rounds; round += 1) {
      const [interaction] = await fixture.interactions("pending");
      const { interactionId, approval: asked } = interaction!;
      const approve = { action: "approve", digest: asked!.digest } as const;
      const racers =
        round % 2 === 0
          ? ([
              [ada, approve],
              [bob, { action: "deny" }],
            ] as const)
          : ([
              [bob, { action: "deny" }],
              [ada, approve],
            ] as const);
      const results = await Promise.all(
        racers.map(([caller, body]) => fixture.gateway.respond(caller, interactionId, body)),
      );
      const won = results.filter((result) => result.status === "accepted");
      expect(won).toHaveLength(1);
      const winner = won[0]!.interaction.by!.person as "Ada" | "Bob";
      wins[winner] += 1;
      const lost = results.find((result) => result.status === "refused");
      expect(lost?.problem).toMatchObject({
        code: "ALREADY_ANSWERED",
        winner: { by: { person: winner } },
      });
      await fixture.clock.settle();
    }
    expect(wins.Ada + wins.Bob).toBe(rounds);
    const query = { statuses: ["delivered"], limit: rounds + 1 } as const;
    expect((await fixture.store.listInteractions(query)).items).toHaveLength(rounds);
  });
});

describe("[R-3] a response against its deadline", () => {
  test("a thousand races have one winner each", async () => {
    const rounds = 1000;
    const outcomes: HoldResult[] = [];
    const faults: StoreFaults = {};
    const store = wrapStore(createMemoryStore(), faults);
    await using fixture = await openFixture(
      async (_message, context) => {
        for (let round = 0; round < rounds; round += 1) {
          const request = approval(`t${round}`, { timeoutMs: 1000, onTimeout: "deny" });
          const result = await context.hold(request, { signal: never });
          outcomes.push(result);
          if (result.outcome === "answered") await result.delivered();
        }
        return { reason: "done" };
      },
      { store, limits: { asksPerSecondPerSession: 1e9 } },
    );
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    let answered = 0;
    for (let round = 0; round < rounds; round += 1) {
      const [interaction] = await fixture.interactions("pending");
      const { interactionId, approval: asked } = interaction!;
      await fixture.clock.advance(999);
      // The write of the response is held back by a varying number of steps, while the deadline comes.
      faults.beforeAppend = async (batch) => {
        const isResponse = batch.events?.[0]?.type === "interaction_response";
        const steps = isResponse ? round % 40 : 0;
        for (let step = 0; step < steps; step += 1) await Promise.resolve();
      };
      const responding = fixture.gateway.respond(ada, interactionId, {
        action: "approve",
        digest: asked!.digest,
      });
      const [result] = await Promise.all([responding, fixture.clock.advance(1)]);
      const { status } = await fixture.gateway.getInteraction(ada, interactionId);
      expect(outcomes).toHaveLength(round + 1);
      const inTime = result.status === "accepted";
      if (inTime) answered += 1;
      expect({
        code: inTime ? undefined : result.problem.code,
        outcome: outcomes[round]?.outcome,
        status,
      }).toEqual(
        inTime
          ? { outcome: "answered", status: "delivered" }
          : { code: "EXPIRED", outcome: "expired", status: "expired" },
      );
    }
    // Both sides must have won some, or this was no race.
    expect(answered).toBeGreaterThan(0);
    expect(answered).toBeLessThan(rounds);
    const types = (await readAll(fixture, sessionId)).map((event) => event.type);
    expect(types.filter((type) => type === "interaction_response")).toHaveLength(answered);
    expect(types.filter((type) => type === "interaction_closed")).toHaveLength(rounds - answered);
  });

  test("an answer after the deadline is late even if no timer has run", async () => {
    const { fixture, results, interactionId, digest } = await openWithApproval();
    await using _ = fixture;
    // A machine that slept: the time is over, the timer has not fired yet.
    const sleepMs = 600_000;
    const nowMs = fixture.clock.now();
    fixture.clock.now = () => nowMs + sleepMs;
    const result = await fixture.gateway.respond(ada, interactionId, { action: "approve", digest });
    await fixture.clock.settle();
    expect(results[0]).toMatchObject({ outcome: "expired", takesLateAnswer: true });
    expect(result).toMatchObject({ status: "accepted" });
    expect(await fixture.interactions("delivered")).toMatchObject([{ how: "user_message" }]);
  });
});

describe("refusals", () => {
  test("[R-6] another digest is refused and it stays pending", async () => {
    const { fixture, interactionId } = await openWithApproval();
    await using _ = fixture;
    const result = await fixture.gateway.respond(ada, interactionId, {
      action: "approve",
      digest: "0".repeat(64),
    });
    expect(result).toMatchObject({ problem: { code: "DIGEST_MISMATCH", status: 409 } });
    expect(await fixture.interactions("pending")).toHaveLength(1);
  });

  test("[R-11] an answer that was not offered is refused field by field and it stays pending", async () => {
    const { fixture, interactionId, digest } = await openWithApproval();
    await using _ = fixture;
    const result = await fixture.gateway.respond(ada, interactionId, {
      action: "approve",
      digest,
      approvalScope: "always",
    });
    expect(result).toMatchObject({
      problem: {
        code: "INVALID_RESPONSE",
        status: 422,
        fieldErrors: { approvalScope: expect.any(String) },
      },
    });
    expect(await fixture.interactions("pending")).toHaveLength(1);
  });

  test("lateness is reported before faults of the content", async () => {
    const invalid = { action: "approve", digest: "0".repeat(64), approvalScope: "always" } as const;
    const { fixture, sessionId, interactionId } = await openWithApproval();
    await using _ = fixture;
    const { gateway } = fixture;
    await gateway.respond(ada, interactionId, { action: "deny" });
    expect(await gateway.respond(bob, interactionId, invalid)).toMatchObject({
      problem: { code: "ALREADY_ANSWERED", winner: { action: "deny" } },
    });
    await fixture.send(sessionId, "again");
    const [next] = await fixture.interactions("pending");
    await gateway.stopTurn(ada, sessionId);
    await fixture.clock.settle();
    expect(await gateway.respond(bob, next!.interactionId, invalid)).toMatchObject({
      problem: { code: "WITHDRAWN", detail: "The turn was stopped." },
    });
  });

  test("a withdrawn request is gone", async () => {
    const { fixture, sessionId, interactionId, digest } = await openWithApproval();
    await using _ = fixture;
    await fixture.gateway.stopTurn(ada, sessionId);
    await fixture.clock.settle();
    const result = await fixture.gateway.respond(ada, interactionId, { action: "approve", digest });
    expect(result).toMatchObject({ problem: { code: "WITHDRAWN", status: 410 } });
  });

  test("[R-11] an option that was never offered answers nothing, and the question stays open", async () => {
    await using fixture = await openFixture(async (_message, context) => {
      await context.hold(question("t1"), { signal: context.signal });
      return { reason: "done" };
    });
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    const [asked] = await fixture.interactions("pending");
    const answers = [{ questionId: asked!.questions![0]!.id, selected: ["made_up"] }];
    const result = await fixture.gateway.respond(ada, asked!.interactionId, {
      action: "submit",
      answers,
    });
    expect(result).toMatchObject({ problem: { code: "INVALID_RESPONSE" } });
    expect(await fixture.interactions("pending")).toHaveLength(1);
  });

  test("unknown ids are not found, and too large bodies are refused", async () => {
    const { fixture, interactionId } = await openWithApproval();
    await using _ = fixture;
    const { gateway } = fixture;
    await expect(gateway.respond(ada, "int_none", { action: "deny" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    const reason = "x".repeat(65 * 1024);
    await expect(
      gateway.respond(ada, interactionId, { action: "deny", reason }),
    ).rejects.toMatchObject({ code: "TOO_LARGE" });
  });

  test("[R-13] an agent's credential never answers", async () => {
    const { fixture, sessionId, interactionId, digest } = await openWithApproval();
    await using _ = fixture;
    const agent = { ...ada, principal: "agent" } as const;
    const { gateway } = fixture;
    const body = { action: "approve", digest } as const;
    await expect(gateway.respond(agent, interactionId, body)).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
    await expect(
      gateway.approveTool(agent, sessionId, { toolCallId: "msg_1", digest }),
    ).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect(await fixture.interactions("pending")).toHaveLength(1);
  });

  test("[R-13] a client with interaction off cannot answer until it is on again", async () => {
    const { fixture, interactionId, digest } = await openWithApproval();
    await using _ = fixture;
    const { gateway } = fixture;
    const client = { ...ada, clientId: "cli_1" };
    const body = { action: "approve", digest } as const;
    await gateway.setInteractionMode(ada, "cli_1", { enabled: false });
    await expect(gateway.respond(client, interactionId, body)).rejects.toMatchObject({
      code: "INTERACTION_DISABLED",
    });
    await gateway.setInteractionMode(ada, "cli_1", { enabled: true });
    expect(await gateway.respond(client, interactionId, body)).toMatchObject({
      status: "accepted",
    });
  });

  test("a failing store loses nothing: the same key succeeds later", async () => {
    const faults: StoreFaults = {};
    const store = wrapStore(createMemoryStore(), faults);
    const { fixture, results, interactionId, digest } = await openWithApproval({ store });
    await using _ = fixture;
    const body = { action: "approve", digest, idempotencyKey: "key-12345" } as const;
    faults.dead = true;
    await expect(fixture.gateway.respond(ada, interactionId, body)).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
    });
    faults.dead = false;
    expect(await fixture.gateway.respond(ada, interactionId, body)).toMatchObject({
      status: "accepted",
    });
    await fixture.clock.settle();
    expect(results).toMatchObject([{ outcome: "answered" }]);
  });
});

describe("by tool call", () => {
  test("answers, approves and denies the open request", async () => {
    await using fixture = await openFixture(async (_message, context) => {
      const holds = [
        context.hold(question("ask"), { signal: never }),
        context.hold(approval("run"), { signal: never }),
        context.hold(approval("drop"), { signal: never }),
      ];
      for (const result of await Promise.all(holds)) {
        if (result.outcome === "answered") await result.delivered();
      }
      return { reason: "done" };
    });
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    const { gateway } = fixture;
    const refused = await gateway.submitAnswers(ada, sessionId, {
      toolCallId: "ask",
      answers: { "Which shape?": "Round" },
    });
    expect(refused).toMatchObject({ problem: { code: "INVALID_RESPONSE" } });
    const run = (await fixture.interactions("pending")).find((one) => one.toolCallId === "run");
    const { digest } = run!.approval!;
    const results: RespondResult[] = [
      await gateway.submitAnswers(ada, sessionId, {
        toolCallId: "ask",
        answers: { "Which color?": "Blue" },
      }),
      await gateway.approveTool(ada, sessionId, { toolCallId: "run", digest }),
      await gateway.denyTool(ada, sessionId, { toolCallId: "drop", reason: "no" }),
    ];
    expect(results).toMatchObject([
      { interaction: { response: { answers: [{ questionId: "q1", selected: ["b"] }] } } },
      { interaction: { response: { action: "approve", approvalScope: "once" } } },
      { interaction: { response: { action: "deny", reason: "no" } } },
    ]);
    await expect(
      gateway.approveTool(ada, sessionId, { toolCallId: "run", digest }),
    ).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  test("[R-15] the same tool call id in another session is another call", async () => {
    await using fixture = await openFixture(async (_message, context) => {
      const result = await context.hold(approval("same"), { signal: never });
      if (result.outcome === "answered") await result.delivered();
      return { reason: "done" };
    });
    const first = await fixture.createSession();
    const second = await fixture.createSession();
    await fixture.send(first, "go");
    await fixture.send(second, "go");
    await fixture.gateway.denyTool(ada, second, { toolCallId: "same" });
    expect(await fixture.interactions("pending")).toMatchObject([{ sessionId: first }]);
  });

  test("[R-5] none of several pending requests with one tool call id is answered by the id alone", async () => {
    await using fixture = await openFixture(async (_message, context) => {
      const other = { ...approval("c"), input: { command: "other" } } as HoldRequest;
      const requests = [approval("c"), approval("c"), other, question("c"), question("c")];
      await Promise.all(requests.map((request) => context.hold(request, { signal: never })));
      return { reason: "done" };
    });
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    const { gateway } = fixture;
    const pending = await fixture.interactions("pending");
    const digestOf = (command: string) =>
      pending.find((one) => one.approval?.input["command"] === command)!.approval!.digest;
    const toolCallId = "c";
    const several = { code: "INVALID_REQUEST", message: expect.stringContaining("interaction id") };
    const answers = { "Which color?": "Blue" };
    const alike = digestOf(String(Object(approval("c")).input.command));
    for (const refused of [
      gateway.approveTool(ada, sessionId, { toolCallId, digest: alike }),
      gateway.denyTool(ada, sessionId, { toolCallId }),
      gateway.submitAnswers(ada, sessionId, { toolCallId, answers }),
    ]) {
      await expect(refused).rejects.toMatchObject(several);
    }
    expect(await fixture.interactions("pending")).toHaveLength(5);
    // The shown digest identifies the approval.
    const said = await gateway.approveTool(ada, sessionId, {
      toolCallId,
      digest: digestOf("other"),
    });
    expect(said).toMatchObject({ interaction: { approval: { input: { command: "other" } } } });
  });

  test("a question is not approved by its tool call", async () => {
    await using fixture = await openFixture(askOnce(question));
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    await expect(
      fixture.gateway.approveTool(ada, sessionId, { toolCallId: "msg_1", digest: "0" }),
    ).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

async function readAll(fixture: Awaited<ReturnType<typeof openFixture>>, sessionId: string) {
  const events = [];
  for (let after = 0; ;) {
    const page = await fixture.gateway.readEvents(ada, sessionId, { after, limit: 1000 });
    events.push(...page.items);
    if (page.nextCursor === undefined) return events;
    after = Number(page.nextCursor);
  }
}

test("a response whose write always conflicts is refused as not stored, and can be sent again", async () => {
  const inner = createMemoryStore();
  let isHidden = false;
  const store: Store = {
    ...wrapStore(inner, {}),
    async append(batch) {
      const [write] = batch.interactions ?? [];
      if (!isHidden || !write) return inner.append(batch);
      const { interactionId } = write.row.interaction;
      const current = (await inner.getInteraction(interactionId))!;
      return { status: "conflict", conflict: { kind: "interaction", interactionId, current } };
    },
  };
  const { fixture, interactionId, digest } = await openWithApproval({ store });
  await using _ = fixture;
  const send = () => fixture.gateway.respond(ada, interactionId, { action: "approve", digest });
  isHidden = true;
  await expect(send()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  isHidden = false;
  expect(await send()).toMatchObject({ status: "accepted" });
});

import type { Interaction } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { createMemoryStore } from "../../memory-store/memory-store.ts";
import type { HoldRequest, HoldResult } from "../../ports/agent-adapter.ts";
import { ada, bob, form, never, openFixture, Reader } from "../../testing/gateway-fixture.ts";
import type { TurnScript } from "../../testing/scripted-adapter.ts";
import { createSequentialIds } from "../../testing/sequential-ids.ts";
import { SimulatedClock } from "../../testing/simulated-clock.ts";
import { wrapStore, type StoreFaults } from "../../testing/wrapped-store.ts";

const SECRET = "s3cret-of-ada";
const values = { email: "ada@example.org", token: SECRET, count: 3 };
const submit = { action: "submit", values } as const;

/** Asks for one form in the first turn, records the outcome, and accepts the answer when instructed. */
function askForm(request: (toolCallId: string) => HoldRequest = form) {
  const results: HoldResult[] = [];
  const taken = Promise.withResolvers<void>();
  const script: TurnScript = async (message, context) => {
    if (message.messageId !== "msg_1") return { reason: "done" };
    const result = await context.hold(request("call_1"), { signal: never });
    results.push(result);
    await taken.promise;
    if (result.outcome === "answered") await result.delivered();
    return { reason: "done" };
  };
  return { script, results, take: () => taken.resolve() };
}

async function openAsked(request?: (toolCallId: string) => HoldRequest) {
  const agent = askForm(request);
  const fixture = await openFixture(agent.script);
  const sessionId = await fixture.createSession();
  await fixture.send(sessionId, "go");
  const [interaction] = await fixture.interactions("pending");
  return { fixture, agent, sessionId, interaction: interaction! };
}

describe("a form", () => {
  test("is shown with its round, and reaches the agent as values", async () => {
    const { fixture, agent, interaction } = await openAsked((call) =>
      form(call, {
        presentation: "questionnaire",
        completedView: { summaryTemplate: "Connected {email}" },
        previousId: "int_0",
        attempt: 2,
        error: "The server refused it.",
        fieldErrors: { token: "Not valid any more" },
      }),
    );
    await using _ = fixture;
    expect(interaction).toMatchObject({
      kind: "form",
      presentation: "questionnaire",
      completedView: { summaryTemplate: "Connected {email}" },
      previousId: "int_0",
      attempt: 2,
      error: "The server refused it.",
      fieldErrors: { token: "Not valid any more" },
    });
    await fixture.gateway.respond(ada, interaction.interactionId, submit);
    await fixture.clock.settle();
    expect(agent.results).toMatchObject([{ outcome: "answered", values }]);
    agent.take();
  });

  test("[R-11] is refused field by field for invalid values, and stays pending", async () => {
    const { fixture, agent, interaction } = await openAsked();
    await using _ = fixture;
    const wrong = { email: "nobody", count: 1.5, other: 1 };
    const result = await fixture.gateway.respond(bob, interaction.interactionId, {
      action: "submit",
      values: wrong,
    });
    expect(result).toMatchObject({
      status: "refused",
      problem: {
        code: "INVALID_RESPONSE",
        status: 422,
        fieldErrors: {
          "values.email": "Enter an e-mail address.",
          "values.token": "Required.",
          "values.count": "Enter a whole number.",
          "values.other": "This was not asked.",
        },
      },
    });
    expect(await fixture.interactions("pending")).toHaveLength(1);
    expect(agent.results).toEqual([]);
    agent.take();
  });

  test("[R-11] carries no values when it is cancelled", async () => {
    const { fixture, agent, interaction } = await openAsked();
    await using _ = fixture;
    const { interactionId } = interaction;
    expect(
      await fixture.gateway.respond(ada, interactionId, { ...submit, action: "cancel" }),
    ).toMatchObject({ problem: { fieldErrors: { values: expect.any(String) } } });
    await fixture.gateway.respond(ada, interactionId, { action: "cancel" });
    await fixture.clock.settle();
    expect(agent.results).toMatchObject([{ response: { action: "cancel" } }]);
    expect(agent.results[0]).not.toHaveProperty("values");
    agent.take();
  });

  test.each<[string, Record<string, unknown>]>([
    ["a kind of field that no card draws", { field: { type: "file" } }],
    ["an unsupported pattern", { field: { type: "string", pattern: "(?=a)" } }],
  ])("%s is refused when the agent asks", async (_name, properties) => {
    const { fixture, agent } = await openAsked((call) =>
      form(call, { form: { schema: { type: "object", properties } } }),
    );
    await using _ = fixture;
    expect(agent.results).toMatchObject([{ outcome: "withdrawn", code: "INVALID_REQUEST" }]);
    expect(agent.results[0]).toHaveProperty("reason", expect.stringContaining("properties.field"));
    expect(await fixture.interactions("pending")).toEqual([]);
    expect(fixture.errors).toEqual([]);
    agent.take();
  });
});

describe("[R-19] a sensitive value", () => {
  test("reaches the agent, and nothing that anyone else can read", async () => {
    const { fixture, agent, sessionId, interaction } = await openAsked();
    await using _ = fixture;
    const { gateway, clock } = fixture;
    await using reader = Reader.session(gateway, sessionId);
    await using overview = Reader.overview(gateway);
    const { interactionId } = interaction;
    const won = await gateway.respond(ada, interactionId, submit);
    const lost = await gateway.respond(bob, interactionId, submit);
    await clock.settle();
    expect(agent.results).toMatchObject([{ outcome: "answered", values }]);
    const seen = async () =>
      JSON.stringify([
        won,
        lost,
        reader.frames,
        overview.frames,
        await fixture.events(sessionId),
        await fixture.interactions("answered", "delivered"),
        await gateway.getInteraction(ada, interactionId),
        fixture.errors,
        agent.results.map((result) => ("response" in result ? result.response : undefined)),
      ]);
    expect(await seen()).toContain('"redacted":["token"]');
    expect(await seen()).not.toContain(SECRET);
    agent.take();
    await clock.settle();
    expect(await seen()).not.toContain(SECRET);
  });

  test("is stored until the agent has it, and not a write longer", async () => {
    const { fixture, agent, interaction } = await openAsked();
    await using _ = fixture;
    const { interactionId } = interaction;
    await fixture.gateway.respond(ada, interactionId, { ...submit, idempotencyKey: "key-12345" });
    await fixture.clock.settle();
    const answered = await fixture.store.getInteraction(interactionId);
    expect(answered?.secretValues).toEqual({ token: SECRET });
    agent.take();
    await fixture.clock.settle();
    const delivered = await fixture.store.getInteraction(interactionId);
    expect(delivered?.interaction.status).toBe("delivered");
    expect(JSON.stringify(delivered)).not.toContain(SECRET);
    expect(delivered?.responseKey).toBe("key-12345");
  });

  test("is never stored if it comes late, and the message explains that it can't be passed on", async () => {
    const { fixture, agent, interaction } = await openAsked();
    await using _ = fixture;
    agent.take();
    await fixture.clock.advance(600_000);
    const { interactionId } = interaction;
    await fixture.gateway.respond(ada, interactionId, submit);
    expect(JSON.stringify(await fixture.store.getInteraction(interactionId))).not.toContain(SECRET);
    await fixture.clock.settle();
    const told = fixture.adapter.messages[1]?.content;
    expect(told).toContain('"email": "ada@example.org"');
    expect(told).toContain("a message cannot contain it: token.");
    expect(told).not.toContain(SECRET);
  });

  test("is never written if it comes after its agent has ended", async () => {
    const { fixture, agent, sessionId, interaction } = await openAsked();
    const written: string[] = [];
    const faults: StoreFaults = {
      beforeAppend: (batch) => void written.push(JSON.stringify(batch)),
    };
    const store = wrapStore(fixture.store, faults);
    const { clock, ids } = fixture;
    const done: TurnScript = async () => ({ reason: "done" });
    await using second = await openFixture(done, { store, clock, ids });
    expect(await second.interactions("orphaned")).toHaveLength(1);
    await second.gateway.respond(ada, interaction.interactionId, submit);
    await second.clock.settle();
    expect(written.join()).toContain('"interaction_delivered"');
    expect(written.join()).not.toContain(SECRET);
    expect(await second.eventTypes(sessionId)).toContain("interaction_delivered");
    agent.take();
  });

  test("is dropped with the delivery of the message if its agent died with the gateway", async () => {
    const disk = createMemoryStore();
    const clock = new SimulatedClock();
    const ids = createSequentialIds();
    const faults: StoreFaults = {};
    const agent = askForm();
    const first = await openFixture(agent.script, { store: wrapStore(disk, faults), clock, ids });
    const sessionId = await first.createSession();
    await first.send(sessionId, "go");
    const [asked] = (await first.interactions("pending")) as [Interaction];
    await first.gateway.respond(ada, asked.interactionId, submit);
    faults.dead = true;
    await using second = await openFixture(async () => ({ reason: "done" }), {
      store: wrapStore(disk, {}),
      clock,
      ids,
    });
    await clock.settle();
    expect(second.adapter.messages).toHaveLength(1);
    expect(second.adapter.messages[0]?.content).not.toContain(SECRET);
    const stored = await disk.getInteraction(asked.interactionId);
    expect(stored?.interaction).toMatchObject({ status: "delivered", how: "user_message" });
    expect(JSON.stringify(stored)).not.toContain(SECRET);
    agent.take();
  });

  test("is not filled in again, whatever the tool returns", async () => {
    const { fixture, agent, interaction } = await openAsked((call) => {
      const request = form(call);
      if (request.kind !== "form") throw new Error("No form.");
      return { ...request, form: { ...request.form, initialValues: { ...values, gone: 1 } } };
    });
    await using _ = fixture;
    expect(interaction.form?.initialValues).toEqual({ email: "ada@example.org", count: 3 });
    agent.take();
  });
});

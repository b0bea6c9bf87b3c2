import { describe, expect, test } from "vitest";

import { createMemoryStore } from "../memory-store/memory-store.ts";
import {
  ada,
  approval,
  askOnce,
  openFixture,
  question,
  say,
  type GatewayFixture,
} from "../testing/gateway-fixture.ts";
import type { TurnScript } from "../testing/scripted-adapter.ts";
import { createSequentialIds } from "../testing/sequential-ids.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";
import {
  creation,
  interactionRow,
  interactionWrite,
} from "../testing/store-contract/store-fixtures.ts";
import { wrapStore, type StoreFaults } from "../testing/wrapped-store.ts";

/** One machine on which gateways start, die and start again. */
function createMachine() {
  const disk = createMemoryStore();
  const clock = new SimulatedClock();
  const ids = createSequentialIds();
  return {
    disk,
    clock,
    /** The store of a process that can be killed. */
    async start(script: TurnScript, faults: StoreFaults = {}): Promise<GatewayFixture> {
      const fixture = await openFixture(script, { store: wrapStore(disk, faults), clock, ids });
      await clock.settle();
      return fixture;
    },
  };
}

const done: TurnScript = async () => ({ reason: "done" });

async function killWhileWaiting(script: TurnScript = askOnce()) {
  const machine = createMachine();
  const faults: StoreFaults = {};
  const first = await machine.start(script, faults);
  const sessionId = await first.createSession();
  await first.send(sessionId, "go");
  faults.dead = true;
  return { machine, first, sessionId };
}

/** A denial is stored, and the gateway dies before the agent gets it. */
async function killAfterDenial() {
  const machine = createMachine();
  const faults: StoreFaults = {};
  const first = await machine.start(askOnce(), faults);
  const sessionId = await first.createSession();
  await first.send(sessionId, "go");
  faults.afterAppend = (batch) => {
    if (batch.events?.[0]?.type === "interaction_response") faults.dead = true;
  };
  await expect(
    first.gateway.denyTool(ada, sessionId, { toolCallId: "msg_1", reason: "because" }),
  ).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  return machine;
}

describe("[R-4] after a crash", () => {
  test("waits are orphaned, and their turn has ended with an error that gives the reason", async () => {
    const { machine, sessionId } = await killWhileWaiting();
    await using second = await machine.start(done);
    expect(await second.interactions("orphaned")).toHaveLength(1);
    expect((await second.events(sessionId)).slice(-3)).toMatchObject([
      { type: "interaction_closed", status: "orphaned", turnId: "trn_1" },
      { type: "error", code: "GATEWAY_RESTARTED", turnId: "trn_1" },
      { type: "turn_ended", reason: "error", turnId: "trn_1" },
    ]);
    expect((await second.gateway.getSession(ada, sessionId)).status).toBe("idle");
  });

  test("[R-19] a call that may come again ends with a message to the agent if its sensitive values are gone", async () => {
    const machine = createMachine();
    const row = {
      ...interactionRow("ses_1", "int_1", {
        kind: "form",
        status: "answered",
        response: { action: "submit", values: {}, redacted: ["pin"] },
      }),
      call: { callDigest: "digest", step: 0, requestDigest: "digest" },
    };
    await machine.disk.append(creation("ses_1", { agent: "scripted" }));
    await machine.disk.append(interactionWrite(row, undefined));
    await using second = await machine.start(done);
    expect(second.adapter.messages).toMatchObject([
      { content: expect.stringContaining("ask for it again") as string },
    ]);
    expect((await second.events("ses_1")).map(({ type }) => type)).toContain(
      "interaction_delivered",
    );
  });

  test("a deadline that passed during the crash has expired", async () => {
    const { machine } = await killWhileWaiting();
    machine.clock.now = () => Date.UTC(2026, 5, 1);
    await using second = await machine.start(done);
    expect(await second.interactions("expired")).toHaveLength(1);
  });

  test("a late answer reaches the new agent, exactly once", async () => {
    const { machine, sessionId } = await killWhileWaiting(askOnce(question));
    await using second = await machine.start(done);
    const result = await second.gateway.submitAnswers(ada, sessionId, {
      toolCallId: "msg_1",
      answers: { "0": "Red" },
    });
    expect(result.status).toBe("accepted");
    await machine.clock.settle();
    expect(second.adapter.messages).toHaveLength(1);
    expect(second.adapter.messages[0]?.content).toContain('"Red"');
    await second.gateway.close();
    await using third = await machine.start(done);
    expect(third.adapter.messages).toEqual([]);
    const types = await third.eventTypes(sessionId);
    expect(types.filter((type) => type === "interaction_delivered")).toHaveLength(1);
  });

  test("a late answer that is still in the queue is not queued again", async () => {
    const { machine, sessionId } = await killWhileWaiting(askOnce(question));
    const faults: StoreFaults = {};
    const second = await machine.start(() => new Promise(() => undefined), faults);
    await second.send(sessionId, "and then");
    await second.gateway.submitAnswers(ada, sessionId, {
      toolCallId: "msg_1",
      answers: { "0": "Red" },
    });
    faults.dead = true;
    await using third = await machine.start(done);
    const late = third.adapter.messages.filter(({ content }) => content.includes('"Red"'));
    expect(late).toHaveLength(1);
  });

  test("an answer that the agent did not get before the crash is queued and delivered", async () => {
    const machine = await killAfterDenial();
    await using second = await machine.start(done);
    expect(second.adapter.messages).toHaveLength(1);
    expect(second.adapter.messages[0]?.content).toContain("because");
    expect(await second.interactions("delivered")).toMatchObject([{ how: "user_message" }]);
  });

  test("an answer queued by a repair is not queued again after another crash", async () => {
    const machine = await killAfterDenial();
    const faults: StoreFaults = {};
    faults.afterAppend = (batch) => {
      if (batch.enqueue?.length) faults.dead = true;
    };
    await machine.start(done, faults).catch(() => undefined);
    expect(faults.dead).toBe(true);
    await using third = await machine.start(done);
    expect(third.adapter.messages).toHaveLength(1);
    expect(third.adapter.messages[0]?.content).toContain("because");
  });

  test("an approval that the agent may have acted on before the crash is unknown, and not reported as not run", async () => {
    const machine = createMachine();
    const faults: StoreFaults = {};
    const first = await machine.start(askOnce(), faults);
    const sessionId = await first.createSession();
    await first.send(sessionId, "go");
    const [asked] = await first.interactions("pending");
    faults.afterAppend = (batch) => {
      if (batch.events?.[0]?.type === "interaction_response") faults.dead = true;
    };
    await expect(
      first.gateway.respond(ada, asked!.interactionId, {
        action: "approve",
        digest: asked!.approval!.digest,
      }),
    ).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    await using second = await machine.start(done);
    expect(second.adapter.messages).toEqual([]);
    expect(await second.interactions("delivered")).toMatchObject([{ how: "unknown" }]);
    const types = await second.eventTypes(sessionId);
    expect(types.filter((type) => type === "interaction_delivered")).toHaveLength(1);
  });

  test("queued messages continue in their order", async () => {
    const { machine, first, sessionId } = await killWhileWaiting();
    await machine.disk.append({
      sessionId,
      enqueue: ["second", "third"].map((content, index) => ({
        sessionId,
        messageId: `msg_q${index}`,
        turnId: `trn_q${index}`,
        content,
        origin: "person" as const,
        queuedAt: new Date(machine.clock.now()).toISOString(),
      })),
    });
    await using second = await machine.start(done);
    expect(second.adapter.messages.map(({ content }) => content)).toEqual(["second", "third"]);
    expect(first.adapter.messages).toHaveLength(1);
  });

  test("a late message whose turn had just begun is sent again, and delivered once", async () => {
    const { machine, sessionId } = await killWhileWaiting(askOnce(question));
    const faults: StoreFaults = {};
    const second = await machine.start(() => new Promise(() => undefined), faults);
    await second.gateway.submitAnswers(ada, sessionId, {
      toolCallId: "msg_1",
      answers: { "0": "Red" },
    });
    await machine.clock.settle();
    expect(second.adapter.messages).toHaveLength(1);
    faults.dead = true;
    await using third = await machine.start(done);
    expect(third.adapter.messages).toMatchObject([
      { content: second.adapter.messages[0]?.content },
    ]);
    const types = await third.eventTypes(sessionId);
    expect(types.filter((type) => type === "interaction_delivered")).toHaveLength(1);
  });

  test("a late message that the agent has begun to act on is not sent again", async () => {
    const { machine, sessionId } = await killWhileWaiting(askOnce(question));
    const faults: StoreFaults = {};
    const second = await machine.start(async (_message, context) => {
      await say(context, "m1", "I see.");
      return new Promise(() => undefined);
    }, faults);
    await second.gateway.submitAnswers(ada, sessionId, {
      toolCallId: "msg_1",
      answers: { "0": "Red" },
    });
    await machine.clock.settle();
    faults.dead = true;
    await using third = await machine.start(done);
    expect(third.adapter.messages).toEqual([]);
  });

  test("a second start has nothing left to repair", async () => {
    const { machine, sessionId } = await killWhileWaiting();
    const second = await machine.start(done);
    const before = await second.eventTypes(sessionId);
    await second.gateway.close();
    await using third = await machine.start(done);
    expect(await third.eventTypes(sessionId)).toEqual(before);
  });

  test("an answer given to the same approval before and after counts once", async () => {
    const { machine, sessionId } = await killWhileWaiting();
    await using second = await machine.start(done);
    const [interaction] = await second.interactions("orphaned");
    const { interactionId, approval: asked } = interaction!;
    const results = await Promise.all([
      second.gateway.respond(ada, interactionId, { action: "approve", digest: asked!.digest }),
      second.gateway.respond(ada, interactionId, { action: "deny" }),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["accepted", "refused"]);
    await machine.clock.settle();
    expect(second.adapter.messages).toHaveLength(1);
    expect(second.adapter.messages[0]?.content).toContain("Nothing has run");
    expect(await second.eventTypes(sessionId)).toContain("interaction_delivered");
  });
});

describe("[R-2] [R-4] a crash at every append", () => {
  /** Asks twice at once and once more, says something in between; later messages just end. */
  const script: TurnScript = async (message, context) => {
    const ask = async (id: string) => {
      await context.emit({ type: "tool_call", toolCallId: id, toolName: "Bash", input: {} });
      const result = await context.hold(approval(id), { signal: context.signal });
      if (result.outcome === "answered") await result.delivered();
      await context.emit({ type: "tool_result", toolCallId: id, content: "", isError: false });
    };
    if (message.content !== "go") {
      await say(context, message.messageId, "ok");
      return { reason: "done" };
    }
    await Promise.all([ask("a"), ask("b")]);
    await ask("c");
    return { reason: "done" };
  };

  /** Answers all pending requests, and records the acknowledgements. */
  async function answerAll(fixture: GatewayFixture, acknowledged: Map<string, string>) {
    const open = await fixture.interactions("pending", "orphaned", "expired");
    for (const { interactionId } of open) {
      const reason = `answer to ${interactionId}`;
      const body = { action: "deny", reason } as const;
      const result = await fixture.gateway.respond(ada, interactionId, body);
      if (result.status === "accepted") acknowledged.set(interactionId, reason);
    }
    await fixture.clock.settle();
  }

  async function live(fixture: GatewayFixture, acknowledged: Map<string, string>) {
    try {
      for (let round = 0; round < 4; round += 1) await answerAll(fixture, acknowledged);
    } catch {
      // The process has died.
    }
  }

  async function crashAt(appendCount: number, when: "before" | "after") {
    const machine = createMachine();
    const acknowledged = new Map<string, string>();
    const faults: StoreFaults = {};
    let count = 0;
    const step = () => {
      count += 1;
      if (count >= appendCount) faults.dead = true;
    };
    const first = await machine.start(script, faults);
    const sessionId = await first.createSession();
    if (when === "after") faults.afterAppend = step;
    else {
      faults.beforeAppend = () => {
        step();
        if (faults.dead) throw new Error("died before the write");
      };
    }
    await first.send(sessionId, "go").catch(() => undefined);
    await live(first, acknowledged);
    const crashed = faults.dead === true;
    faults.dead = true;
    const second = await machine.start(script);
    await live(second, acknowledged);
    await second.gateway.close();
    const third = await machine.start(script);
    const events = await third.events(sessionId);
    const interactions = await third.interactions("answered", "delivered");
    const left = await third.interactions("pending");
    await third.gateway.close();
    return { crashed, acknowledged, events, interactions, left };
  }

  type Run = Awaited<ReturnType<typeof crashAt>>;

  function summarize({ acknowledged, events, interactions, left }: Run) {
    const reasonOf = (id: string) =>
      interactions.find(({ interactionId }) => interactionId === id)?.response?.reason;
    const count = (type: string) => events.filter((event) => event.type === type).length;
    const delivered = events.flatMap((event) =>
      event.type === "interaction_delivered" ? [event.interactionId] : [],
    );
    return {
      kept: [...acknowledged.keys()].map(reasonOf),
      delivered: delivered.length,
      deliveredOnce: new Set(delivered).size,
      waiting: left.length,
      turnsEnded: count("turn_ended"),
      seqs: events.map(({ seq }) => seq),
    };
  }

  function sound({ acknowledged, events }: Run): ReturnType<typeof summarize> {
    const count = (type: string) => events.filter((event) => event.type === type).length;
    return {
      kept: [...acknowledged.values()],
      delivered: count("interaction_response"),
      deliveredOnce: count("interaction_response"),
      waiting: 0,
      turnsEnded: count("turn_started"),
      seqs: events.map((_, index) => index + 1),
    };
  }

  for (const when of ["before", "after"] as const) {
    test(`${when} it is durable loses no acknowledged response and delivers none twice`, async () => {
      let crashes = 0;
      for (let appendCount = 1; ; appendCount += 1) {
        const run = await crashAt(appendCount, when);
        expect({ when, appendCount, ...summarize(run) }).toEqual({
          when,
          appendCount,
          ...sound(run),
        });
        if (!run.crashed) break;
        crashes += 1;
      }
      expect(crashes).toBeGreaterThan(15);
    });
  }
});

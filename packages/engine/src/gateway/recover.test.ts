import type { InteractionStatus } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { createMemoryStore } from "../memory-store/memory-store.ts";
import {
  ada,
  approval,
  askOnce,
  never,
  openFixture,
  question,
  type GatewayFixture,
} from "../testing/gateway-fixture.ts";
import { createScriptedAdapter, type TurnScript } from "../testing/scripted-adapter.ts";
import type { Transcript } from "../testing/scripted-parking.ts";
import { createSequentialIds } from "../testing/sequential-ids.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";
import { wrapStore, type StoreFaults } from "../testing/wrapped-store.ts";

/** One machine: its disk and its agents' transcripts outlive each gateway. */
function createMachine(script: TurnScript = askOnce()) {
  const disk = createMemoryStore();
  const clock = new SimulatedClock();
  const ids = createSequentialIds();
  const transcripts = new Map<string, Transcript>();
  const open = async (faults: StoreFaults, hasHosts: boolean): Promise<GatewayFixture> => {
    const adapter = createScriptedAdapter(script, { canPark: true, transcripts });
    adapter.hasHosts = hasHosts;
    const store = wrapStore(disk, faults);
    const options = { store, clock, ids, adapter, parkAfterMs: Infinity, holdTimeoutMs: Infinity };
    const fixture = await openFixture(script, options);
    await clock.settle();
    return fixture;
  };
  return {
    disk,
    clock,
    transcripts,
    start: (faults: StoreFaults = {}) => open(faults, false),
    /** The agents of the last gateway are still running. */
    startBesideHosts: () => open({}, true),
  };
}

type Machine = ReturnType<typeof createMachine>;

async function killWhileWaiting(machine: Machine): Promise<string> {
  const faults: StoreFaults = {};
  const first = await machine.start(faults);
  const sessionId = await first.createSession();
  await first.send(sessionId, "go");
  faults.dead = true;
  return sessionId;
}

const askTwice: TurnScript = async (_message, context) => {
  const ask = async (id: string): Promise<void> => {
    const held = await context.hold(approval(id), { signal: never });
    if (held.outcome === "answered") await held.delivered();
  };
  await Promise.all([ask("t1"), ask("t2")]);
  return { reason: "done" };
};

async function approve(fixture: GatewayFixture, ...status: InteractionStatus[]): Promise<void> {
  const [asked] = await fixture.interactions(...status);
  const { interactionId, approval: shown } = asked!;
  await fixture.gateway.respond(ada, interactionId, { action: "approve", digest: shown!.digest });
  await fixture.clock.settle();
}

describe("[R-4] after a crash of everything", () => {
  test("a wait that its agent can resume is parked, and the answer resumes it at the same call", async () => {
    const machine = createMachine();
    const sessionId = await killWhileWaiting(machine);
    await using second = await machine.start();
    expect(await second.interactions("pending")).toMatchObject([{ hold: "parked" }]);
    expect(await second.gateway.getSession(ada, sessionId)).toMatchObject({ status: "parked" });
    expect((await second.events(sessionId)).at(-1)).toMatchObject({
      type: "turn_ended",
      reason: "parked",
    });
    await approve(second, "pending");
    expect(await second.interactions("delivered")).toMatchObject([{ how: "resumed" }]);
    expect(await second.eventTypes(sessionId)).not.toContain("error");
  });

  test("[R-18] a session parked after a crash can be stopped, and then no one can answer it", async () => {
    const machine = createMachine();
    const sessionId = await killWhileWaiting(machine);
    await using second = await machine.start();
    await second.gateway.stopTurn(ada, sessionId);
    await second.clock.settle();
    expect(await second.interactions("withdrawn")).toHaveLength(1);
    expect(await second.gateway.getSession(ada, sessionId)).toMatchObject({ status: "idle" });
  });

  test("[R-8] a message waits behind a session parked after a crash", async () => {
    const machine = createMachine();
    const sessionId = await killWhileWaiting(machine);
    await using second = await machine.start();
    await second.send(sessionId, "and then");
    expect(second.adapter.messages).toEqual([]);
    await approve(second, "pending");
    expect(second.adapter.messages.map(({ content }) => content)).toEqual(["go", "and then"]);
  });

  test("each of several waits is orphaned", async () => {
    const machine = createMachine(askTwice);
    const sessionId = await killWhileWaiting(machine);
    await using second = await machine.start();
    expect(await second.interactions("orphaned")).toHaveLength(2);
    expect(await second.eventTypes(sessionId)).toContain("error");
  });

  test("a wait that no agent can resume is orphaned", async () => {
    const machine = createMachine();
    const sessionId = await killWhileWaiting(machine);
    machine.transcripts.delete(sessionId);
    await using second = await machine.start();
    expect(await second.interactions("orphaned")).toHaveLength(1);
  });

  test("an answer that comes before the check of its agent waits for it", async () => {
    const machine = createMachine();
    const sessionId = await killWhileWaiting(machine);
    const adapter = createScriptedAdapter(askOnce(), {
      canPark: true,
      transcripts: machine.transcripts,
    });
    const looked = Promise.withResolvers<void>();
    const open = adapter.openSession.bind(adapter);
    adapter.openSession = async (options) => {
      await looked.promise;
      return open(options);
    };
    const { disk: store, clock } = machine;
    const options = { store, clock, adapter, parkAfterMs: Infinity };
    await using second = await openFixture(askOnce(), options);
    const answered = second.gateway.approveTool(ada, sessionId, {
      toolCallId: "msg_1",
      digest: (await second.interactions("pending"))[0]!.approval!.digest,
    });
    await clock.settle();
    expect(await second.interactions("pending")).toMatchObject([{ hold: "held" }]);
    looked.resolve();
    expect(await answered).toMatchObject({ status: "accepted" });
    await clock.settle();
    expect(await second.interactions("delivered")).toMatchObject([{ how: "resumed" }]);
  });

  test("an acknowledged approval may have run, and is not reported as not run", async () => {
    const machine = createMachine();
    const faults: StoreFaults = {};
    const first = await machine.start(faults);
    const sessionId = await first.createSession();
    await first.send(sessionId, "go");
    faults.afterAppend = ({ events }) => {
      if (events?.[0]?.type === "interaction_response") faults.dead = true;
    };
    await approve(first, "pending").catch(() => undefined);
    await using second = await machine.start();
    expect(await second.interactions("delivered")).toMatchObject([{ how: "unknown" }]);
    expect(second.adapter.messages).toEqual([]);
    expect(await second.eventTypes(sessionId)).toContain("turn_ended");
  });

  test("an answer to a question is repeated where it was asked", async () => {
    const machine = createMachine(askOnce(question));
    const faults: StoreFaults = {};
    const first = await machine.start(faults);
    const sessionId = await first.createSession();
    await first.send(sessionId, "go");
    faults.afterAppend = ({ events }) => {
      if (events?.[0]?.type === "interaction_response") faults.dead = true;
    };
    const answers = { q1: "Red" };
    await first.gateway
      .submitAnswers(ada, sessionId, { toolCallId: "msg_1", answers })
      .catch(() => undefined);
    await using second = await machine.start();
    expect(await second.interactions("delivered")).toMatchObject([{ how: "resumed" }]);
  });

  test("an answer to a parked wait starts its agent, once", async () => {
    const machine = createMachine();
    const sessionId = await killWhileWaiting(machine);
    const faults: StoreFaults = {};
    const second = await machine.start(faults);
    faults.afterAppend = ({ events }) => {
      if (events?.[0]?.type === "interaction_response") faults.dead = true;
    };
    await approve(second, "pending").catch(() => undefined);
    await using third = await machine.start();
    expect(await third.interactions("delivered")).toMatchObject([{ how: "resumed" }]);
    const types = await third.eventTypes(sessionId);
    expect(types.filter((type) => type === "interaction_delivered")).toHaveLength(1);
  });
});

describe("[R-4] an agent that lives on in its host", () => {
  test("continues in the same turn: the same request, nothing asked or logged twice", async () => {
    const machine = createMachine();
    const sessionId = await killWhileWaiting(machine);
    const before = (await machine.disk.readEvents(sessionId, { after: 0, limit: 100 })).length;
    await using second = await machine.startBesideHosts();
    expect(await second.interactions("pending")).toMatchObject([{ hold: "held" }]);
    expect(await second.gateway.getSession(ada, sessionId)).toMatchObject({ status: "waiting" });
    expect(await second.events(sessionId)).toHaveLength(before);
    await approve(second, "pending");
    const events = await second.events(sessionId);
    expect(events.slice(before).map(({ type }) => type)).toEqual([
      "interaction_response",
      "interaction_delivered",
      "assistant_message",
      "turn_ended",
    ]);
    expect(new Set(events.flatMap(({ turnId }) => turnId ?? [])).size).toBe(1);
  });

  test("waits for several things, each answered where it was asked", async () => {
    const machine = createMachine(askTwice);
    await killWhileWaiting(machine);
    await using second = await machine.startBesideHosts();
    await approve(second, "pending");
    await approve(second, "pending");
    expect(await second.interactions("delivered")).toMatchObject([
      { how: "resumed" },
      { how: "resumed" },
    ]);
  });

  test("gets an answered but undelivered response when it asks again", async () => {
    const machine = createMachine();
    const faults: StoreFaults = {};
    const first = await machine.start(faults);
    const sessionId = await first.createSession();
    await first.send(sessionId, "go");
    faults.afterAppend = ({ events }) => {
      if (events?.[0]?.type === "interaction_response") faults.dead = true;
    };
    await approve(first, "pending").catch(() => undefined);
    await using second = await machine.startBesideHosts();
    expect(await second.interactions("delivered")).toMatchObject([{ how: "resumed" }]);
  });

  test("[R-6] does not get the earlier answer if it asks for something else under the same id", async () => {
    let command = "ls";
    const machine = createMachine((message, context) =>
      askOnce((id) => approval(id, { input: { command } }))(message, context),
    );
    const faults: StoreFaults = {};
    const first = await machine.start(faults);
    await first.send(await first.createSession(), "go");
    faults.afterAppend = ({ events }) => {
      if (events?.[0]?.type === "interaction_response") faults.dead = true;
    };
    await approve(first, "pending").catch(() => undefined);
    command = "rm -rf /";
    await using second = await machine.startBesideHosts();
    expect(await second.interactions("pending")).toMatchObject([
      { approval: { input: { command } } },
    ]);
  });

  test("leaves its request parked if it dies while it is attached", async () => {
    const machine = createMachine();
    await killWhileWaiting(machine);
    await using second = await machine.startBesideHosts();
    second.adapter.opened[0]!.parking!.crash();
    await second.clock.settle();
    expect(await second.interactions("pending")).toMatchObject([{ hold: "parked" }]);
  });
});

/** Asks for `t1`, which can be parked, and then for two more at once. */
const askThrice: TurnScript = async (_message, context) => {
  const ask = async (id: string): Promise<void> => {
    const held = await context.hold(approval(id), { signal: never });
    if (held.outcome !== "answered") return;
    await held.delivered();
    await context.emit({ type: "tool_result", toolCallId: id, content: "ran", isError: false });
  };
  await ask("t1");
  await Promise.all([ask("t2"), ask("t3")]);
  return { reason: "done" };
};

describe("an agent that was started again at a parked call", () => {
  test("[R-4] waits in its host through two deaths of the gateway, and asks nothing twice", async () => {
    const machine = createMachine(askThrice);
    const sessionId = await killWhileWaiting(machine);
    const faults: StoreFaults = {};
    const second = await machine.start(faults);
    await approve(second, "pending");
    const asked = await second.interactions("pending");
    expect(asked).toHaveLength(2);
    faults.dead = true;
    const third = await machine.startBesideHosts();
    expect(await third.interactions("pending")).toEqual(asked);
    await using fourth = await machine.startBesideHosts();
    expect(await fourth.interactions("pending")).toEqual(asked);
    await approve(fourth, "pending");
    await approve(fourth, "pending");
    const delivered = await fourth.interactions("delivered");
    expect(delivered.map(({ how }) => how)).toEqual(["resumed", "resumed", "resumed"]);
    const types = await fourth.eventTypes(sessionId);
    expect(types.filter((type) => type === "interaction_request")).toHaveLength(3);
    expect(types).not.toContain("error");
  });

  test.each([
    ["lives on in its host", true],
    ["can be started again", false],
  ])(
    "[R-4] gets the answer once when the gateway dies while delivering it: it %s",
    async (_, hasHosts) => {
      const machine = createMachine();
      const sessionId = await killWhileWaiting(machine);
      const faults: StoreFaults = {};
      const second = await machine.start(faults);
      // The agent has asked again: its request is held, and answered.
      faults.afterAppend = ({ events }) => {
        if (events?.[0]?.type === "interaction_hold_changed") faults.dead = true;
      };
      await approve(second, "pending").catch(() => undefined);
      // The agent is a separate process: it got none of the messages that died with the gateway.
      const transcript = machine.transcripts.get(sessionId)!;
      transcript.told.clear();
      transcript.waiting.add("msg_1");
      await using third = hasHosts ? await machine.startBesideHosts() : await machine.start();
      const how = hasHosts ? "resumed" : "unknown";
      expect(await third.interactions("delivered")).toMatchObject([{ how }]);
      const types = await third.eventTypes(sessionId);
      expect(types.filter((type) => type === "interaction_delivered")).toHaveLength(1);
    },
  );
});

describe("an agent that was taken over and does not ask again", () => {
  const silent: TurnScript = () => new Promise<never>(() => undefined);

  /** The agent of the next gateway sends nothing. */
  async function startSilent({ disk, clock, transcripts }: Machine): Promise<GatewayFixture> {
    const adapter = createScriptedAdapter(silent, { canPark: true, transcripts });
    adapter.hasHosts = true;
    const options = { store: disk, clock, adapter, parkAfterMs: Infinity, holdTimeoutMs: Infinity };
    const fixture = await openFixture(silent, options);
    await clock.settle();
    return fixture;
  }

  test("is ended after 30 seconds, and its wait is parked", async () => {
    const machine = createMachine();
    const sessionId = await killWhileWaiting(machine);
    await using second = await startSilent(machine);
    await machine.clock.advance(29_000);
    expect(await second.interactions("pending")).toMatchObject([{ hold: "held" }]);
    await machine.clock.advance(1000);
    expect(await second.interactions("pending")).toMatchObject([{ hold: "parked" }]);
    const events = await second.events(sessionId);
    expect(events).toContainEqual(
      expect.objectContaining({
        type: "error",
        message: expect.stringContaining("did not repeat"),
      }),
    );
    expect(events.at(-1)).toMatchObject({ type: "turn_ended", reason: "error" });
  });

  test("[R-4] is started again by an answer from the meantime, which was not delivered", async () => {
    const machine = createMachine();
    await killWhileWaiting(machine);
    const second = await startSilent(machine);
    await approve(second, "pending");
    expect(await second.interactions("answered")).toHaveLength(1);
    await machine.clock.advance(30_000);
    expect(await second.interactions("answered")).toMatchObject([{ hold: "parked" }]);
  });

  test("waits for several things: they are orphaned", async () => {
    const machine = createMachine(askTwice);
    await killWhileWaiting(machine);
    await using second = await startSilent(machine);
    await machine.clock.advance(30_000);
    expect(await second.interactions("orphaned")).toHaveLength(2);
  });
});

describe("[R-4] an approval whose gateway died before it was recorded as delivered", () => {
  test("is delivered if the agent's record has the result of its call", async () => {
    const machine = createMachine(askThrice);
    const faults: StoreFaults = {};
    const first = await machine.start(faults);
    const sessionId = await first.createSession();
    await first.send(sessionId, "go");
    faults.beforeAppend = ({ events }) => {
      if (events?.[0]?.type === "interaction_delivered") throw new Error("The disk is full.");
    };
    await approve(first, "pending").catch(() => undefined);
    faults.dead = true;
    machine.transcripts.get(sessionId)!.results.set("t1", "success");
    machine.transcripts.get(sessionId)!.waiting.clear();
    await using second = await machine.start();
    expect(await second.interactions("delivered")).toMatchObject([{ how: "resumed" }]);
  });
});

describe("[R-4] an orderly stop", () => {
  test("parks waits that can be resumed", async () => {
    const machine = createMachine();
    const first = await machine.start();
    const sessionId = await first.createSession();
    await first.send(sessionId, "go");
    await first.gateway.close();
    expect(first.errors).toEqual([]);
    const { items } = await machine.disk.listInteractions({ statuses: ["pending"], limit: 10 });
    expect(items).toMatchObject([{ interaction: { hold: "parked" } }]);
    const written = await machine.disk.readEvents(sessionId, { after: 0, limit: 100 });
    expect(JSON.parse(written.at(-1)!.json)).toMatchObject({
      type: "turn_ended",
      reason: "parked",
    });
    await using second = await machine.start();
    expect(await second.eventTypes(sessionId)).not.toContain("error");
    await approve(second, "pending");
    expect(await second.interactions("delivered")).toMatchObject([{ how: "resumed" }]);
  });

  test("leaves an agent that cannot be parked to its host, for the next gateway", async () => {
    const machine = createMachine(askTwice);
    const first = await machine.start();
    const sessionId = await first.createSession();
    await first.send(sessionId, "go");
    await first.gateway.close();
    expect(first.adapter.opened[0]?.disposed).toBe(false);
    await using second = await machine.startBesideHosts();
    expect(await second.interactions("pending")).toHaveLength(2);
    await approve(second, "pending");
    await approve(second, "pending");
    expect(await second.eventTypes(sessionId)).not.toContain("error");
    expect(await second.interactions("delivered")).toHaveLength(2);
  });
});

import { describe, expect, test } from "vitest";

import { StoreError } from "../lib/gateway-error.ts";
import { RequestWithdrawn } from "../lib/request-withdrawn.ts";
import { createMemoryStore } from "../memory-store/memory-store.ts";
import type { HoldResult } from "../ports/agent-adapter.ts";
import {
  ada,
  approval,
  askOnce,
  never,
  openFixture,
  question,
  Reader,
} from "../testing/gateway-fixture.ts";
import { wrapStore, type StoreFaults } from "../testing/wrapped-store.ts";

describe("opening", () => {
  test("[R-6] an approval carries the exact input and the digest that covers it", async () => {
    await using fixture = await openFixture(askOnce());
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    const [interaction] = await fixture.interactions("pending");
    expect(interaction).toMatchObject({
      sessionId,
      kind: "approval",
      approval: { input: { command: "echo msg_1" }, cwd: "/work" },
      remainingMs: 600_000,
    });
    expect(interaction?.approval?.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(await fixture.eventTypes(sessionId)).toContain("interaction_request");
  });

  test("[R-9] an answer that arrives during the write, before any announcement, is not lost", async () => {
    const faults: StoreFaults = {};
    const store = wrapStore(createMemoryStore(), faults);
    await using fixture = await openFixture(askOnce(), { store });
    const sessionId = await fixture.createSession();
    faults.afterAppend = async (batch) => {
      const opened = batch.interactions?.find((write) => write.expectedStatus === undefined);
      if (!opened) return;
      const { interactionId, approval: asked } = opened.row.interaction;
      const digest = asked!.digest;
      const result = await fixture.gateway.respond(ada, interactionId, {
        action: "approve",
        digest,
      });
      expect(result.status).toBe("accepted");
    };
    await fixture.send(sessionId, "go");
    expect((await fixture.events(sessionId)).at(-1)).toMatchObject({ type: "turn_ended" });
    expect(await fixture.eventTypes(sessionId)).toContain("interaction_delivered");
  });

  test("[R-9] an answer given from inside the stream that shows the request is not lost", async () => {
    await using fixture = await openFixture(askOnce());
    const sessionId = await fixture.createSession();
    await using _ = new Reader(async function* (signal) {
      const stream = fixture.gateway.followSession(ada, sessionId, { seq: 0 }, { signal });
      for await (const batch of stream) {
        yield batch;
        for (const { json } of batch) {
          const frame = JSON.parse(json);
          if (frame.type !== "interaction_request") continue;
          const { interactionId, approval: asked } = frame.interaction;
          await fixture.gateway.respond(ada, interactionId, {
            action: "approve",
            digest: asked.digest,
          });
        }
      }
    });
    await fixture.send(sessionId, "go");
    expect(await fixture.interactions("delivered")).toHaveLength(1);
  });

  test.each([
    ["is being written to the disk", (written: Promise<void>) => written],
    ["cannot be stored", () => Promise.reject(new StoreError("STORE_FAILED", "The disk is full."))],
  ])("[R-9] an answer that %s does not reach the agent", async (_name, disk) => {
    const written = Promise.withResolvers<void>();
    const faults: StoreFaults = {};
    const heard: string[] = [];
    const store = wrapStore(createMemoryStore(), faults);
    const fixture = await openFixture(
      async (_message, context) => {
        heard.push((await context.hold(approval("t1"), { signal: never })).outcome);
        return { reason: "done" };
      },
      { store },
    );
    await using _ = fixture;
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    faults.beforeAppend = ({ events = [] }) =>
      events.some(({ type }) => type === "interaction_response")
        ? disk(written.promise)
        : undefined;
    const denied = fixture.gateway.denyTool(ada, sessionId, { toolCallId: "t1" });
    denied.catch(() => undefined);
    await fixture.clock.settle();
    expect(heard).toEqual([]);
    faults.beforeAppend = undefined;
    written.resolve();
  });

  test("[R-9] a request is invisible before it is stored", async () => {
    const faults: StoreFaults = {};
    const store = wrapStore(createMemoryStore(), faults);
    await using fixture = await openFixture(askOnce(), { store });
    const sessionId = await fixture.createSession();
    await using session = Reader.session(fixture.gateway, sessionId);
    await using overview = Reader.overview(fixture.gateway);
    const stored = Promise.withResolvers<void>();
    faults.beforeAppend = (batch) => (batch.interactions ? stored.promise : undefined);
    await fixture.send(sessionId, "go");
    const shown = () =>
      [...session.frames, ...overview.frames].filter((frame) =>
        JSON.stringify(frame).includes("int_1"),
      );
    expect(shown()).toEqual([]);
    stored.resolve();
    await fixture.clock.settle();
    expect(shown()).not.toEqual([]);
  });

  test("[R-9] a request is not counted before it is stored", async () => {
    const faults: StoreFaults = {};
    const store = wrapStore(createMemoryStore(), faults);
    await using fixture = await openFixture(askOnce(), { store });
    const sessionId = await fixture.createSession();
    await using overview = Reader.overview(fixture.gateway);
    const stored = Promise.withResolvers<void>();
    faults.beforeAppend = (batch) => (batch.interactions ? stored.promise : undefined);
    await fixture.send(sessionId, "go");
    const counted = () =>
      overview.frames.filter((frame) => /"pending":[1-9]/u.test(JSON.stringify(frame)));
    expect(counted()).toEqual([]);
    stored.resolve();
    await fixture.clock.settle();
    expect(counted()).not.toEqual([]);
  });

  test("[R-5] [R-9] a request that cannot be stored is refused to the agent, and nothing is shown", async () => {
    const faults: StoreFaults = {};
    const results: HoldResult[] = [];
    const store = wrapStore(createMemoryStore(), faults);
    await using fixture = await openFixture(
      async (_message, context) => {
        results.push(await context.hold(approval("t1"), { signal: never }));
        return { reason: "done" };
      },
      { store },
    );
    const sessionId = await fixture.createSession();
    faults.beforeAppend = (batch) => {
      if (batch.interactions) throw new Error("disk full");
    };
    await fixture.send(sessionId, "go");
    expect(results).toMatchObject([{ outcome: "withdrawn", code: "STORE_UNAVAILABLE" }]);
    expect(await fixture.eventTypes(sessionId)).not.toContain("interaction_request");
    expect(fixture.clock.timerCount).toBe(0);
  });
});

describe("ending", () => {
  test("[R-5] [R-18] the runtime's own cancellation withdraws it, with its reason", async () => {
    const cancel = new AbortController();
    const results: HoldResult[] = [];
    await using fixture = await openFixture(async (_message, context) => {
      results.push(await context.hold(question("t1"), { signal: cancel.signal }));
      return { reason: "done" };
    });
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    cancel.abort(new RequestWithdrawn("The server says that this is done."));
    await fixture.clock.settle();
    expect(results).toMatchObject([{ outcome: "withdrawn" }]);
    expect(await fixture.interactions("withdrawn")).toMatchObject([
      { closedReason: "The server says that this is done." },
    ]);
    expect(await fixture.eventTypes(sessionId)).toContain("interaction_closed");
  });

  test("[R-18] the cancellation of one of two requests leaves the other open", async () => {
    const cancel = new AbortController();
    const results: HoldResult[] = [];
    await using fixture = await openFixture(async (_message, context) => {
      const ask = async (toolCallId: string, signal: AbortSignal) =>
        results.push(await context.hold(approval(toolCallId), { signal }));
      await Promise.all([ask("t1", cancel.signal), ask("t2", never)]);
      return { reason: "done" };
    });
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    cancel.abort();
    await fixture.clock.settle();
    expect(results).toMatchObject([{ outcome: "withdrawn" }]);
    expect(await fixture.interactions("withdrawn")).toMatchObject([{ toolCallId: "t1" }]);
    expect(await fixture.interactions("pending")).toMatchObject([{ toolCallId: "t2" }]);
  });

  test("[R-5] a call that was cancelled before its request asks no one", async () => {
    const results: HoldResult[] = [];
    await using fixture = await openFixture(async (_message, context) => {
      results.push(await context.hold(question("t1"), { signal: AbortSignal.abort() }));
      return { reason: "done" };
    });
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    expect(results).toMatchObject([{ outcome: "withdrawn" }]);
    expect(await fixture.eventTypes(sessionId)).not.toContain("interaction_request");
  });

  test("[R-5] a request without a possible answer is refused", async () => {
    const results: HoldResult[] = [];
    await using fixture = await openFixture(async (_message, context) => {
      results.push(
        await context.hold(question("t1", { questions: [] }), { signal: never }),
        await context.hold(approval("t2", { scopes: [] }), { signal: never }),
      );
      return { reason: "done" };
    });
    await fixture.send(await fixture.createSession(), "go");
    expect(results).toMatchObject([{ outcome: "withdrawn" }, { outcome: "withdrawn" }]);
  });
});

describe("[R-20] limits", () => {
  async function holdMany(count: number, limits: Record<string, number>) {
    const results: HoldResult[] = [];
    const fixture = await openFixture(
      async (_message, context) => {
        const holds = Array.from({ length: count }, async (_, index) => {
          results.push(await context.hold(approval(`t${index}`), { signal: never }));
        });
        await Promise.all(holds);
        return { reason: "done" };
      },
      { limits },
    );
    await fixture.send(await fixture.createSession(), "go");
    return { fixture, results };
  }

  test("a session may have a limited number of open requests", async () => {
    const { fixture, results } = await holdMany(5, { pendingPerSession: 3 });
    await using _ = fixture;
    expect(results).toMatchObject([{ code: "TOO_MANY_PENDING" }, { code: "TOO_MANY_PENDING" }]);
    expect(await fixture.interactions("pending")).toHaveLength(3);
  });

  test("all sessions together may have a limited number of open requests", async () => {
    const { fixture, results } = await holdMany(5, { pendingInAll: 4 });
    await using _ = fixture;
    expect(results).toMatchObject([{ code: "TOO_MANY_PENDING" }]);
  });

  test("a request has a limited size", async () => {
    const { fixture, results } = await holdMany(1, { requestBytes: 100 });
    await using _ = fixture;
    expect(results).toMatchObject([{ outcome: "withdrawn", code: "TOO_LARGE" }]);
  });

  test("[R-8] a flood is slowed down, not dropped, and keeps its order", async () => {
    const { fixture } = await holdMany(10, { asksPerSecondPerSession: 4 });
    await using _ = fixture;
    expect(await fixture.interactions("pending")).toHaveLength(4);
    await fixture.clock.advance(500);
    expect(await fixture.interactions("pending")).toHaveLength(6);
    await fixture.clock.advance(1000);
    const calls = (await fixture.interactions("pending")).map(({ toolCallId }) => toolCallId);
    expect(calls).toEqual(Array.from({ length: 10 }, (_, index) => `t${index}`));
  });
});

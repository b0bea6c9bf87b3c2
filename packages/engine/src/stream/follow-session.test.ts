import type { SerializedFrame } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import type { TurnContext } from "../ports/agent-adapter.ts";
import { ada, askOnce, never, openFixture, Reader, say } from "../testing/gateway-fixture.ts";

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** A session whose log has a few thousand events. */
async function openLong(count: number, text = "x") {
  const fixture = await openFixture(async (_message, context) => {
    for (let index = 0; index < count; index += 1) void say(context, `m${index}`, text);
    return { reason: "done" };
  });
  const sessionId = await fixture.createSession();
  await fixture.send(sessionId, "go");
  const { lastSeq } = await fixture.gateway.getSession(ada, sessionId);
  return { fixture, sessionId, lastSeq };
}

describe("[R-7] replay", () => {
  test("gives every event once, in order, then the current state", async () => {
    const { fixture, sessionId, lastSeq } = await openLong(2500);
    await using _ = fixture;
    await using reader = Reader.session(fixture.gateway, sessionId);
    await fixture.clock.settle();
    expect(reader.seqs).toEqual(range(1, lastSeq));
    expect(reader.frames.slice(lastSeq)).toMatchObject([
      { type: "session_status", status: "idle" },
      { type: "queue_changed", messages: [] },
      { type: "presence", answerable: false },
    ]);
  });

  test("starts after the cursor", async () => {
    const { fixture, sessionId, lastSeq } = await openLong(10);
    await using _ = fixture;
    const { epoch } = fixture.gateway;
    await using reader = Reader.session(fixture.gateway, sessionId, { epoch, seq: 5 });
    await fixture.clock.settle();
    expect(reader.seqs).toEqual(range(6, lastSeq));
  });

  for (const [name, cursor] of [
    ["of another history", { epoch: "other", seq: 3 }],
    ["beyond the end of the log", { seq: 1_000_000 }],
  ] as const) {
    test(`a cursor ${name} is reset, and everything follows`, async () => {
      const { fixture, sessionId, lastSeq } = await openLong(10);
      await using _ = fixture;
      await using reader = Reader.session(fixture.gateway, sessionId, cursor);
      await fixture.clock.settle();
      expect(reader.frames[0]).toEqual({ type: "reset", epoch: fixture.gateway.epoch });
      expect(reader.seqs).toEqual(range(1, lastSeq));
    });
  }

  test("[R-7] a cursor at the end of another history gets all of this one, and nothing twice", async () => {
    const { fixture, sessionId, lastSeq } = await openLong(10);
    await using _ = fixture;
    const cursor = { epoch: "before", seq: lastSeq };
    await using reader = Reader.session(fixture.gateway, sessionId, cursor);
    await fixture.clock.settle();
    await fixture.gateway.updateSession(ada, sessionId, { title: "Later" });
    await fixture.clock.settle();
    expect(reader.seqs).toEqual(range(1, lastSeq + 1));
  });

  test("[R-20] batches are bounded, whatever the size of the events", async () => {
    const { fixture, sessionId, lastSeq } = await openLong(100, "x".repeat(100_000));
    await using _ = fixture;
    await using reader = Reader.session(fixture.gateway, sessionId);
    await fixture.clock.settle();
    expect(reader.seqs).toEqual(range(1, lastSeq));
    const sizes = reader.batches.map((batch) =>
      batch.reduce((size, { json }) => size + json.length, 0),
    );
    expect(Math.max(...sizes)).toBeLessThanOrEqual(256 * 1024);
  });

  test("an unknown session is not found", async () => {
    await using fixture = await openFixture(askOnce());
    const reader = Reader.session(fixture.gateway, "ses_none");
    await expect(reader.ended).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("live", () => {
  /** An agent that acts when the test tells it to. */
  async function openPuppet() {
    const started = Promise.withResolvers<TurnContext>();
    const finish = Promise.withResolvers<void>();
    const fixture = await openFixture(async (_message, context) => {
      started.resolve(context);
      context.signal.addEventListener("abort", () => finish.resolve());
      await finish.promise;
      return { reason: "done" };
    });
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    return { fixture, sessionId, context: await started.promise, finish: finish.resolve };
  }

  test("[R-7] [R-17] a slow follower catches up by its cursor without gap or repetition", async () => {
    const { fixture, sessionId, context } = await openPuppet();
    await using _ = fixture;
    const stream = fixture.gateway.followSession(ada, sessionId, { seq: 0 }, { signal: never });
    const iterator = stream[Symbol.asyncIterator]();
    const seqs: number[] = [];
    const take = async () => {
      const { value } = await iterator.next();
      for (const frame of (value ?? []) as SerializedFrame[]) {
        if (frame.seq !== undefined) seqs.push(frame.seq);
      }
    };
    await take();
    for (let index = 0; index < 3000; index += 1) await say(context, `m${index}`, "x");
    const { lastSeq } = await fixture.gateway.getSession(ada, sessionId);
    while (seqs.at(-1) !== lastSeq) await take();
    expect(seqs).toEqual(range(1, lastSeq));
    await iterator.return?.();
  });

  test("[R-7] followers of every pace see the same log", async () => {
    const { fixture, sessionId, context, finish } = await openPuppet();
    await using _ = fixture;
    const readers: Reader[] = [];
    for (let index = 0; index < 200; index += 1) {
      void say(context, `m${index}`, "x");
      if (index % 20 === 0) readers.push(Reader.session(fixture.gateway, sessionId));
      if (index % 7 === 0) await Promise.resolve();
    }
    finish();
    await fixture.clock.settle();
    const { lastSeq } = await fixture.gateway.getSession(ada, sessionId);
    for (const reader of readers) {
      expect(reader.seqs).toEqual(range(1, lastSeq));
      await reader[Symbol.asyncDispose]();
    }
  });

  test("a follower that never catches up with a busy session still gets its presence", async () => {
    const { fixture, sessionId, context } = await openPuppet();
    await using _ = fixture;
    const stream = fixture.gateway.followSession(ada, sessionId, { seq: 0 }, { signal: never });
    const iterator = stream[Symbol.asyncIterator]();
    const frames: string[] = [];
    const left = new AbortController();
    fixture.gateway.announceClient({ ...ada, clientId: "cli_1" }, { signal: left.signal });
    for (let round = 0; round < 20; round += 1) {
      const { value } = await iterator.next();
      for (const { json } of (value ?? []) as SerializedFrame[]) frames.push(json);
      // Always one more event than the follower has.
      await say(context, `m${round}`, "x");
    }
    expect(frames.filter((json) => json.includes('"presence"'))).toMatchObject([
      expect.stringContaining("cli_1"),
    ]);
    left.abort();
    await iterator.return?.();
  });

  test("[R-10] a client that reloads in the middle of a text gets the text so far, then the rest", async () => {
    const { fixture, sessionId, context, finish } = await openPuppet();
    await using _ = fixture;
    const add = (text: string) =>
      context.delta({ type: "text_delta", messageId: "m1", channel: "text", text });
    add("Hel");
    add("lo");
    await using reader = Reader.session(fixture.gateway, sessionId);
    await fixture.clock.settle();
    const deltas = () => reader.frames.filter((frame) => frame.type === "text_delta");
    expect(deltas()).toMatchObject([{ messageId: "m1", offset: 0, text: "Hello" }]);
    add(" you");
    await fixture.clock.settle();
    expect(deltas()[1]).toMatchObject({ offset: 5, text: " you" });
    await say(context, "m1", "Hello you");
    await using later = Reader.session(fixture.gateway, sessionId);
    await fixture.clock.settle();
    finish();
    expect(later.frames.filter((frame) => frame.type === "text_delta")).toEqual([]);
  });

  test("a growing text that ends with its turn leaves nothing", async () => {
    const { fixture, sessionId, context, finish } = await openPuppet();
    await using _ = fixture;
    context.delta({ type: "tool_call_delta", toolCallId: "t1", toolName: "Bash", text: "{" });
    finish();
    await fixture.clock.settle();
    await using reader = Reader.session(fixture.gateway, sessionId);
    await fixture.clock.settle();
    expect(reader.frames.map(({ type }) => type)).not.toContain("tool_call_delta");
  });

  test("an abort ends the stream without an error", async () => {
    const { fixture, sessionId } = await openPuppet();
    await using _ = fixture;
    const reader = Reader.session(fixture.gateway, sessionId);
    await fixture.clock.settle();
    await reader[Symbol.asyncDispose]();
    await expect(reader.ended).resolves.toBeUndefined();
  });

  test("a deleted session ends its streams with a reason", async () => {
    const { fixture, sessionId } = await openPuppet();
    await using _ = fixture;
    const reader = Reader.session(fixture.gateway, sessionId);
    await fixture.clock.settle();
    await fixture.gateway.deleteSession(ada, sessionId);
    await reader.ended;
    expect(reader.frames.at(-1)).toEqual({ type: "closing", reason: "session_deleted" });
  });
});

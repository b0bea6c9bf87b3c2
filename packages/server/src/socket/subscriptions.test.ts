import { setTimeout } from "node:timers/promises";

import type { UnplacedEvent } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import type { FakeGateway } from "../testing/fake-gateway.ts";
import {
  openSocket,
  openWelcomed,
  type ReceivedSocketFrame,
  type TestSocket,
} from "../testing/open-socket.ts";
import { serve, type Served } from "../testing/serve.ts";
import { waitFor } from "../testing/wait-for.ts";

const SUBSCRIBE = { type: "subscribe", requestId: "sub", sessionId: "ses_1" };

function message(text: string): UnplacedEvent {
  const at = "2026-01-02T03:04:05.000Z";
  return { type: "assistant_message", at, messageId: "msg_1", text, channel: "text" };
}

async function serveSession(
  options: Parameters<typeof serve>[0] = {},
): Promise<Served<FakeGateway>> {
  const served = (await serve(options)) as Served<FakeGateway>;
  served.gateway.addSession("ses_1");
  return served;
}

function seqs(frames: ReceivedSocketFrame[]): unknown[] {
  return frames.map((frame) => (frame["event"] as { seq?: number } | undefined)?.seq);
}

describe("a session", () => {
  test("[R-7] is replayed, then continues live, each event once and in order", async () => {
    await using served = await serveSession();
    for (const text of ["a", "b"]) served.gateway.append("ses_1", message(text));
    const client = await openWelcomed(served);
    client.send(SUBSCRIBE);
    expect(await client.next()).toEqual({ type: "result", requestId: "sub" });
    expect(await client.take(2)).toEqual(
      ["a", "b"].map((text, index) => ({
        type: "chat_event",
        sessionId: "ses_1",
        event: { ...message(text), seq: index + 1 },
      })),
    );
    for (const text of ["c", "d"]) served.gateway.append("ses_1", message(text));
    expect(seqs(await client.take(2))).toEqual([3, 4]);
    await client.leave();
  });

  test("[R-7] continues after a cursor, and is reset by one of another history", async () => {
    await using served = await serveSession();
    for (const text of ["a", "b", "c"]) served.gateway.append("ses_1", message(text));
    const client = await openWelcomed(served);
    client.send({ type: "subscribe", sessionId: "ses_1", after: 2, epoch: "e1" });
    expect(seqs(await client.take(1))).toEqual([3]);
    client.send({ ...SUBSCRIBE, subscriptionId: "again", after: 2, epoch: "e0" });
    const [, reset, ...events] = await client.take(5);
    const of = { sessionId: "ses_1", subscriptionId: "again" };
    const frame = { type: "reset", epoch: "e1" };
    expect(reset).toEqual({ type: "chat_frame", ...of, frame });
    expect(events).toMatchObject([of, of, of]);
    expect(seqs(events)).toEqual([1, 2, 3]);
    await client.leave();
  });

  test("wraps frames that are not in the log, with the session's id", async () => {
    await using served = await serveSession();
    const client = await openWelcomed(served);
    client.send(SUBSCRIBE);
    await client.take(1);
    const frame = { type: "text_delta", text: "a" };
    served.gateway.show("ses_1", frame);
    expect(await client.next()).toEqual({ type: "chat_frame", sessionId: "ses_1", frame });
    await client.leave();
  });

  test("is refused if it does not exist, and the id may be used again", async () => {
    await using served = await serveSession();
    const client = await openWelcomed(served);
    for (const _ of [1, 2]) {
      client.send({ ...SUBSCRIBE, sessionId: "ses_9" });
      const refused = { type: "error", requestId: "sub", code: "NOT_FOUND" };
      expect(await client.next()).toMatchObject(refused);
    }
    client.send({ type: "subscribe", sessionId: "ses_9" });
    const aloud = { type: "error", subscriptionId: "ses_9", code: "NOT_FOUND" };
    expect(await client.next()).toMatchObject(aloud);
    await client.leave();
  });

  test("can be followed twice only under different ids", async () => {
    await using served = await serveSession();
    const client = await openWelcomed(served);
    client.send(SUBSCRIBE);
    client.send({ ...SUBSCRIBE, requestId: "same" });
    client.send({ ...SUBSCRIBE, requestId: "other", subscriptionId: "mine" });
    const answers = await client.take(3);
    expect(answers.find(({ requestId }) => requestId === "same")).toMatchObject({
      type: "error",
      code: "BAD_REQUEST",
    });
    served.gateway.append("ses_1", message("a"));
    const events = await client.take(2);
    expect(new Set(events.map(({ subscriptionId }) => subscriptionId))).toEqual(
      new Set([undefined, "mine"]),
    );
    client.send({ type: "unsubscribe", requestId: "un", sessionId: "ses_1" });
    expect(await client.next()).toEqual({ type: "result", requestId: "un" });
    await waitFor(() => expect(served.gateway.followerCount).toBe(1));
    served.gateway.append("ses_1", message("b"));
    expect(await client.next()).toMatchObject({ subscriptionId: "mine" });
    await client.leave();
  });

  test("reports a broken stream, and the connection stays open", async () => {
    const lines: object[] = [];
    const log = { info: () => {}, warn: () => {}, error: (line: object) => void lines.push(line) };
    await using served = await serveSession({ log });
    served.gateway.followSession = () => {
      throw new Error("secret");
    };
    const client = await openWelcomed(served);
    client.send(SUBSCRIBE);
    expect(await client.take(2)).toMatchObject([
      { type: "result" },
      { type: "error", subscriptionId: "ses_1", code: "INTERNAL" },
    ]);
    expect(lines).toHaveLength(1);
    client.send({ type: "ping" });
    expect(await client.next()).toEqual({ type: "ping", at: "2026-01-01T00:00:00.000Z" });
    await client.leave();
  });

  test("a frame larger than every buffer arrives whole, and others after it", async () => {
    await using served = await serveSession();
    const text = "größer ".repeat(1_000_000);
    served.gateway.append("ses_1", message(text));
    served.gateway.append("ses_1", message("after"));
    const client = await openWelcomed(served);
    client.send({ type: "subscribe", sessionId: "ses_1" });
    const [large, after] = await client.take(2);
    expect((large!["event"] as { text: string }).text).toBe(text);
    expect(after).toMatchObject({ event: { text: "after" } });
    await client.leave();
  });
});

describe("the overview", () => {
  test("begins with a snapshot, and can be left", async () => {
    await using served = await serveSession();
    const client = await openWelcomed(served);
    client.send({ type: "subscribe_overview" });
    expect(await client.next()).toMatchObject({
      type: "overview_frame",
      frame: { type: "snapshot", sessions: { items: [{ sessionId: "ses_1" }] } },
    });
    expect(served.gateway.followerCount).toBe(1);
    client.send({ type: "unsubscribe_overview" });
    await waitFor(() => expect(served.gateway.followerCount).toBe(0));
    await client.leave();
  });
});

describe("signs of life", () => {
  test("come every 15 seconds, and keep a client that answers", async () => {
    await using served = await serveSession();
    const client = await openWelcomed(served);
    for (const at of ["15", "30", "45"]) {
      const pinged = new Promise((resolve) => client.socket.once("ping", resolve));
      await served.clock.advance(15_000);
      expect(await client.next()).toEqual({ type: "ping", at: `2026-01-01T00:00:${at}.000Z` });
      await pinged;
      client.send({ type: "ping", requestId: "heard" });
      await client.next();
    }
    await served.clock.advance(15_000);
    expect((await client.next()).type).toBe("ping");
    await client.leave();
  });

  test("a silent client is gone after 45 seconds", async () => {
    await using served = await serveSession();
    const client = await openWelcomed(served);
    client.socket.pause();
    await served.clock.advance(44_999);
    const signal = served.gateway.announced.get("cli_1")!;
    expect(signal.aborted).toBe(false);
    await served.clock.advance(1);
    await waitFor(() => expect(signal.aborted).toBe(true));
    client.socket.terminate();
  });
});

describe("the end", () => {
  const CLOSING = {
    type: "chat_frame",
    sessionId: "ses_1",
    frame: { type: "closing", reason: "draining" },
  };

  test("a closing server reports it on every subscription and connection", async () => {
    await using served = await serveSession();
    const silent = await openSocket(served);
    const client = await openWelcomed(served);
    client.send(SUBSCRIBE);
    await client.take(1);
    await served.server.close();
    expect(await client.rest()).toMatchObject([CLOSING, { type: "error", code: "DRAINING" }]);
    for (const { closed } of [silent, client]) {
      expect(await closed).toEqual({ code: 1012, reason: "DRAINING" });
    }
    expect(served.gateway.followerCount).toBe(0);
    expect(served.clock.timerCount).toBe(0);
  });

  test("a closing server lets commands finish, but not forever", async () => {
    for (const finishes of [true, false]) {
      const served = await serveSession();
      const gate = Promise.withResolvers<void>();
      const entered = Promise.withResolvers<void>();
      served.gateway.listAgents = async () => {
        entered.resolve();
        await gate.promise;
        return { items: [] };
      };
      const client = await openWelcomed(served);
      client.send({ type: "request", requestId: "1", method: "listAgents" });
      await entered.promise;
      const closed = served.server.close();
      if (finishes) gate.resolve();
      else await served.clock.advance(2000);
      expect((await client.rest()).map(({ type }) => type)).toEqual(
        finishes ? ["result", "error"] : ["error"],
      );
      expect(await client.closed).toEqual({ code: 1012, reason: "DRAINING" });
      await closed;
      gate.resolve();
      expect(served.clock.timerCount).toBe(0);
    }
  });

  test("[R-13] a revoked token ends its connections, and no others", async () => {
    await using served = await serveSession({ personToken: "c".repeat(43) });
    const other = await openWelcomed(served, { token: "c".repeat(43), clientId: "cli_2" });
    const client = await openWelcomed(served);
    client.send({ type: "subscribe_overview" });
    await client.take(1);
    await served.credentials.revoke("tok_person");
    expect(await client.closed).toEqual({ code: 4401, reason: "UNAUTHENTICATED" });
    expect(await client.rest()).toMatchObject([
      { type: "overview_frame", frame: { type: "closing", reason: "revoked" } },
      { type: "error", code: "UNAUTHENTICATED" },
    ]);
    other.send({ type: "ping", requestId: "1" });
    expect(await other.next()).toMatchObject({ type: "result" });
    await other.leave();
  });

  test("[R-20] a subscription counts as a stream of its person", async () => {
    await using served = await serveSession({ streamLimits: { perPerson: 2 } });
    const client = await openWelcomed(served);
    client.send(SUBSCRIBE);
    client.send({ type: "subscribe_overview", requestId: "more" });
    const answers = await client.take(2);
    expect(answers).toContainEqual(
      expect.objectContaining({ type: "error", requestId: "more", code: "RATE_LIMITED" }),
    );
    client.send({ type: "unsubscribe", sessionId: "ses_1" });
    await waitFor(() => expect(served.gateway.followerCount).toBe(0));
    client.send({ type: "subscribe_overview", requestId: "again" });
    expect(await client.next()).toEqual({ type: "result", requestId: "again" });
    await client.leave();
  });

  test("[R-14] [R-18] a hundred connections leave nothing, however they end", async () => {
    await using served = await serveSession({ streamLimits: { perCredential: 200 } });
    const timersBefore = served.clock.timerCount;
    const clients = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const client = await openWelcomed(served, { clientId: `cli_${index}` });
        client.send(SUBSCRIBE);
        await client.take(1);
        return client;
      }),
    );
    expect(served.gateway.followerCount).toBe(100);
    expect(served.clock.timerCount).toBe(timersBefore + 100);
    for (const [index, client] of clients.entries()) {
      if (index % 2 === 0) client.socket.close();
      else client.socket.terminate();
    }
    await waitFor(() => {
      expect(served.gateway.followerCount).toBe(0);
      expect(served.clock.timerCount).toBe(timersBefore);
    });
    const announced = [...served.gateway.announced.values()];
    expect(announced.filter(({ aborted }) => !aborted)).toEqual([]);
  });

  test("is logged once, without any content", async () => {
    const lines: object[] = [];
    const log = { info: (line: object) => void lines.push(line), warn: () => {}, error: () => {} };
    await using served = await serveSession({ log });
    const client = await openWelcomed(served);
    client.send({ type: "user_message", sessionId: "ses_1", content: "secret" });
    await client.leave();
    await waitFor(() => expect(lines).toHaveLength(1));
    expect(lines).toEqual([
      { route: "/api/ws", durationMs: 0, closeCode: 1000, tokenId: "tok_person" },
    ]);
  });
});

describe("a slow client", () => {
  const COUNT = 300;
  const SIZE = 100_000;
  /** In real time: data that fits into the system's buffers is accepted sooner. */
  const QUIET_MS = 300;

  function fill({ gateway }: Served<FakeGateway>): void {
    // 30 MB do not fit into any connection's buffers.
    for (let index = 0; index < COUNT; index += 1) {
      gateway.append("ses_1", message("x".repeat(SIZE)));
    }
  }

  /** Subscribes and reads nothing, until the gateway waits for it. */
  async function openWithoutReading(served: Served<FakeGateway>) {
    const timers = served.clock.timerCount;
    const client = await openWelcomed(served);
    client.socket.pause();
    client.send(SUBSCRIBE);
    // A heartbeat's timer and the stalled write's, which restarts while the system's buffers still accept data.
    await waitFor(async () => {
      const made = served.clock.madeCount;
      await setTimeout(QUIET_MS);
      expect(served.clock).toMatchObject({ timerCount: timers + 2, madeCount: made });
    });
    return client;
  }

  test("[R-7] [R-17] is closed after 30 s without progress and resumes by cursor without a gap", async () => {
    await using served = await serveSession();
    fill(served);
    const slow = await openWithoutReading(served);
    await served.clock.advance(29_999);
    expect(served.gateway.followerCount).toBe(1);
    await served.clock.advance(1);
    await waitFor(() => expect(served.gateway.followerCount).toBe(0));

    slow.socket.resume();
    expect(await slow.closed).toEqual({ code: 1008, reason: "slow_client" });
    const [result, ...frames] = await slow.rest();
    expect(result).toMatchObject({ type: "result" });
    expect(frames.pop()).toMatchObject({ frame: { type: "closing", reason: "slow_client" } });
    expect(seqs(frames)).toEqual(frames.map((_, index) => index + 1));
    expect(frames.length).toBeLessThan(COUNT);

    const client = await openWelcomed(served);
    client.send({ type: "subscribe", sessionId: "ses_1", after: frames.length, epoch: "e1" });
    const missed = seqs(await client.take(COUNT - frames.length));
    expect([missed[0], missed.at(-1)]).toEqual([frames.length + 1, COUNT]);
    await client.leave();
  });

  test("is not closed while it makes progress, however slowly", async () => {
    await using served = await serveSession();
    served.gateway.append("ses_1", message("x".repeat(COUNT * SIZE)));
    const slow = await openWithoutReading(served);
    for (const _ of [1, 2, 3]) {
      await served.clock.advance(20_000);
      await readBytes(slow, 8_000_000);
    }
    slow.socket.resume();
    const [, whole] = await slow.take(2);
    expect(seqs([whole!])).toEqual([1]);
    await slow.leave();
  });

  test("is cut off if it does not even accept the closing frame", async () => {
    await using served = await serveSession();
    fill(served);
    const timers = served.clock.timerCount;
    const slow = await openWithoutReading(served);
    await served.clock.advance(30_000);
    await waitFor(() => expect(served.gateway.followerCount).toBe(0));
    await served.clock.advance(2000);
    await waitFor(() => expect(served.clock.timerCount).toBe(timers));
    slow.socket.resume();
    expect((await slow.closed).code).toBe(1006);
  });

  test("cannot pile up responses by sending more requests", async () => {
    await using served = await serveSession();
    fill(served);
    const slow = await openWithoutReading(served);
    const callsBefore = served.gateway.callers.length;
    for (let index = 0; index < 50; index += 1) {
      slow.send({ type: "stop", requestId: `${index}`, sessionId: "ses_1" });
    }
    await served.clock.advance(29_000);
    expect(served.gateway.callers).toHaveLength(callsBefore);
    slow.socket.resume();
    await waitFor(() => expect(served.gateway.callers).toHaveLength(callsBefore + 50));
    await slow.leave();
  });

  test("does not delay others", async () => {
    await using served = await serveSession();
    const quick = await openWelcomed(served, { clientId: "cli_2" });
    quick.send({ type: "subscribe", sessionId: "ses_1" });
    fill(served);
    const slow = await openWithoutReading(served);
    expect(seqs(await quick.take(COUNT)).at(-1)).toBe(COUNT);
    slow.socket.terminate();
    await quick.leave();
  });
});

/** Lets the client read for a while: more than the buffers between it and the gateway hold. */
async function readBytes({ socket, stream }: TestSocket, count: number): Promise<void> {
  const until = stream.bytesRead + count;
  const { promise, resolve } = Promise.withResolvers<void>();
  const onData = (): void => {
    if (stream.bytesRead < until) return;
    stream.off("data", onData);
    socket.pause();
    resolve();
  };
  stream.on("data", onData);
  socket.resume();
  await promise;
}

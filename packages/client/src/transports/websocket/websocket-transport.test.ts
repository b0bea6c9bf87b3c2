import { ProtocolError, toProblem, type SessionFrame } from "@holdpoint/protocol";
import { describe, expect, onTestFinished, test } from "vitest";

import { createFakeWebSockets, type FakeSocket } from "../../testing/fake-web-socket.ts";
import {
  createSimulatedClock,
  settled,
  type SimulatedClock,
} from "../../testing/simulated-clock.ts";
import type { Transport } from "../transport.ts";
import { createWebSocketTransport, type WebSocketTransportOptions } from "./websocket-transport.ts";

interface Setup {
  readonly transport: Transport;
  readonly clock: SimulatedClock;
  readonly sockets: FakeSocket[];
  /** The newest socket, once the client has opened it and was welcomed. */
  readonly welcomed: () => Promise<FakeSocket>;
}

function setUp(options: Partial<WebSocketTransportOptions> = {}): Setup {
  const clock = createSimulatedClock();
  const { sockets, WebSocket } = createFakeWebSockets();
  let keys = 0;
  const transport = createWebSocketTransport({
    baseUrl: "http://gateway.test/",
    token: "secret",
    clientId: "client-1",
    clock,
    WebSocket,
    randomness: { fraction: () => 0, key: () => `key-number-${(keys += 1)}` },
    ...options,
  });
  onTestFinished(async () => {
    await transport[Symbol.asyncDispose]();
    await settled();
    expect(clock.sleeperCount).toBe(0);
    expect(sockets.every(({ isClosed }) => isClosed)).toBe(true);
  });
  const welcomed = async (): Promise<FakeSocket> => {
    await settled();
    const socket = sockets.at(-1)!;
    socket.welcome();
    await settled();
    return socket;
  };
  return { transport, clock, sockets, welcomed };
}

function rejectionOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );
}

function answer(socket: FakeSocket, value?: unknown): void {
  socket.give({ type: "result", requestId: socket.last("request")["requestId"], value });
}

function refuse(socket: FakeSocket, error: ProtocolError, subject: object): void {
  const problem = toProblem(error);
  socket.give({ type: "error", ...subject, code: error.code, message: error.message, problem });
}

describe("a connection", () => {
  test("is opened when it is needed, and sends the current token in its first frame only", async () => {
    const tokens = ["first", undefined];
    const { transport, sockets, welcomed } = setUp({ token: () => tokens.shift() });
    expect(sockets).toEqual([]);
    const agents = transport.listAgents();
    const socket = await welcomed();
    expect(socket.url).toBe("ws://gateway.test/api/ws");
    expect(socket.sent).toEqual([
      { type: "hello", token: "first", clientId: "client-1" },
      { type: "request", requestId: "r1", method: "listAgents", params: {} },
    ]);
    answer(socket, { items: [{ agent: "demo" }] });
    expect(await agents).toEqual([{ agent: "demo" }]);
    socket.breakOff();
    void transport.listAgents().catch(() => undefined);
    expect((await welcomed()).sent[0]).toEqual({ type: "hello", clientId: "client-1" });
  });

  test("announces whether this client may answer, and again after a reconnect", async () => {
    const { transport, welcomed } = setUp({ interaction: { supported: true, enabled: true } });
    const set = transport.setInteractionMode(false);
    const socket = await welcomed();
    expect(socket.last("hello")["interaction"]).toEqual({ supported: true, enabled: true });
    expect(socket.last("request")).toMatchObject({
      method: "setInteractionMode",
      params: { body: { enabled: false } },
    });
    answer(socket);
    await set;
    socket.breakOff();
    void transport.listAgents().catch(() => undefined);
    const hello = (await welcomed()).last("hello");
    expect(hello["interaction"]).toEqual({ supported: true, enabled: false });
  });

  test("is shared by all running requests and streams", async () => {
    const { transport, sockets, welcomed } = setUp();
    const [one, other] = [transport.getSession("one"), transport.getSession("other")];
    const socket = await welcomed();
    socket.give({ type: "result", requestId: "r2", value: { sessionId: "other" } });
    socket.give({ type: "result", requestId: "r1", value: { sessionId: "one" } });
    expect(await Promise.all([one, other])).toMatchObject([
      { sessionId: "one" },
      { sessionId: "other" },
    ]);
    expect(sockets).toHaveLength(1);
  });

  test("stays open for a while after the last request", async () => {
    const { transport, clock, sockets, welcomed } = setUp();
    for (const isFirst of [true, false]) {
      const call = transport.listSessions();
      const socket = isFirst ? await welcomed() : sockets[0]!;
      await settled();
      answer(socket, { items: [] });
      await call;
      await clock.advance(4999);
      expect(socket.isClosed).toBe(false);
    }
    await clock.advance(1);
    expect(sockets).toMatchObject([{ isClosed: true }]);
    await settled();
    expect(clock.sleeperCount).toBe(0);
  });

  test("rejects with the gateway's error when it is refused", async () => {
    const { transport, sockets } = setUp();
    const failed = rejectionOf(transport.listAgents());
    await settled();
    sockets[0]!.open();
    refuse(sockets[0]!, new ProtocolError("UNAUTHENTICATED", "Revoked."), {});
    expect(await failed).toMatchObject({ name: "ProtocolError", code: "UNAUTHENTICATED" });
  });

  test("is CONNECTION_CLOSED if it cannot be opened, without a second try", async () => {
    const { transport, sockets } = setUp();
    const failed = rejectionOf(transport.listAgents());
    await settled();
    sockets[0]!.breakOff();
    expect(await failed).toMatchObject({ name: "ClientError", code: "CONNECTION_CLOSED" });
    expect(sockets).toHaveLength(1);
  });

  test("is CONNECTION_CLOSED for an invalid address", async () => {
    const BadAddress = function BadAddress(): never {
      throw new SyntaxError("Bad URL.");
    };
    const { transport } = setUp({ WebSocket: BadAddress as never });
    expect(await rejectionOf(transport.listAgents())).toMatchObject({ code: "CONNECTION_CLOSED" });
  });

  test("is dead after 45 s without a sign of life, not earlier, and not while frames arrive", async () => {
    const { transport, clock, welcomed } = setUp();
    const stream = transport.followOverview(new AbortController());
    const frames = stream[Symbol.asyncIterator]();
    const first = frames.next();
    const socket = await welcomed();
    socket.give({ type: "result", requestId: "r1" });
    await first;
    const failed = rejectionOf(frames.next());
    await clock.advance(44_999);
    socket.give({ type: "ping", at: "2026-01-01T00:00:00.000Z" });
    await clock.advance(44_999);
    expect(socket.isClosed).toBe(false);
    await clock.advance(1);
    expect(await failed).toMatchObject({ code: "CONNECTION_CLOSED" });
    expect(socket.isClosed).toBe(true);
  });

  test.each(["{", "[]", "null", '"text"', "{}"])(
    "is closed as BAD_ANSWER when it receives %s",
    async (text) => {
      const { transport, welcomed } = setUp();
      const failed = rejectionOf(transport.stopTurn("ses"));
      const socket = await welcomed();
      socket.give(text);
      expect(await failed).toMatchObject({ name: "ClientError", code: "BAD_ANSWER" });
      expect(socket.isClosed).toBe(true);
    },
  );
});

describe("a request", () => {
  test("rejects with the problem when it is refused, and a losing response is a result", async () => {
    const { transport, welcomed } = setUp();
    const failed = rejectionOf(transport.getSession("ses"));
    const socket = await welcomed();
    const error = new ProtocolError("RATE_LIMITED", "Slow down.", { retryAfterMs: 2000 });
    refuse(socket, error, { requestId: "r1" });
    expect(await failed).toMatchObject({ code: "RATE_LIMITED", extras: { retryAfterMs: 2000 } });
    const late = new ProtocolError("EXPIRED", "Too late.");
    const responding = transport.respond("int", { action: "deny" });
    await settled();
    refuse(socket, late, { requestId: "r2" });
    expect(await responding).toEqual({ status: "refused", problem: toProblem(late) });
  });

  test("is BAD_ANSWER for a problem of a later version", async () => {
    const { transport, welcomed } = setUp();
    const failed = rejectionOf(transport.listAgents());
    const socket = await welcomed();
    socket.give({ type: "error", requestId: "r1", problem: { code: "NEW", detail: "" } });
    expect(await failed).toMatchObject({ name: "ClientError", code: "BAD_ANSWER" });
  });

  test.each<[string, (transport: Transport) => Promise<unknown>]>([
    ["respond", (transport) => transport.respond("int", { action: "deny" })],
    ["sendMessage", (transport) => transport.sendMessage("ses", { content: "Hello" })],
    ["getSession", (transport) => transport.getSession("ses")],
  ])("is repeated with %s under the same key when its connection breaks", async (_, call) => {
    const { transport, sockets, welcomed } = setUp();
    const calling = call(transport);
    const first = await welcomed();
    first.breakOff();
    const second = await welcomed();
    expect(sockets).toHaveLength(2);
    expect(second.last("request")).toEqual({ ...first.last("request"), requestId: "r1" });
    answer(second, { interaction: {} });
    await calling;
  });

  test.each<[string, (transport: Transport) => Promise<unknown>]>([
    ["createSession", (transport) => transport.createSession({ agent: "demo" })],
    ["approveTool", (transport) => transport.approveTool("ses", "call", "digest")],
    ["stopTurn", (transport) => transport.stopTurn("ses")],
    ["deleteSession", (transport) => transport.deleteSession("ses")],
  ])(
    "is not repeated with %s, since it might count twice: it is CONNECTION_CLOSED",
    async (_, call) => {
      const { transport, sockets, welcomed } = setUp();
      const failed = rejectionOf(call(transport));
      (await welcomed()).breakOff();
      expect(await failed).toMatchObject({ name: "ClientError", code: "CONNECTION_CLOSED" });
      expect(sockets).toHaveLength(1);
    },
  );

  test("is repeated once, not forever", async () => {
    const { transport, sockets, welcomed } = setUp();
    const failed = rejectionOf(transport.getSession("ses"));
    (await welcomed()).breakOff();
    (await welcomed()).breakOff();
    expect(await failed).toMatchObject({ code: "CONNECTION_CLOSED" });
    expect(sockets).toHaveLength(2);
  });

  test("keeps a given idempotency key", async () => {
    const { transport, welcomed } = setUp();
    const body = { action: "deny", idempotencyKey: "my-own-key" } as const;
    void transport.respond("int", body).catch(() => undefined);
    expect((await welcomed()).last("request")["params"]).toEqual({ interactionId: "int", body });
  });

  test("larger than any frame may be never reaches the connection", async () => {
    const { transport, welcomed } = setUp();
    const content = "é".repeat(131_072);
    const failed = rejectionOf(transport.sendMessage("ses", { content }));
    const socket = await welcomed();
    expect(await failed).toMatchObject({ name: "ProtocolError", code: "TOO_LARGE" });
    expect(socket.sent.map(({ type }) => type)).toEqual(["hello"]);
  });

  test("is REQUEST_TIMEOUT without a response within 30 s, including the time to connect", async () => {
    const { transport, clock, sockets } = setUp();
    const failed = rejectionOf(transport.listAgents());
    await clock.advance(29_999);
    expect(sockets).toHaveLength(1);
    await clock.advance(1);
    expect(await failed).toMatchObject({ name: "ClientError", code: "REQUEST_TIMEOUT" });
  });

  test("[R-18] rejects with the reason when aborted, and a later response is ignored", async () => {
    const { transport, welcomed } = setUp();
    const caller = new AbortController();
    const reason = new Error("Enough.");
    const failed = rejectionOf(transport.listAgents(caller));
    const socket = await welcomed();
    caller.abort(reason);
    expect(await failed).toBe(reason);
    answer(socket, { items: [] });
  });
});

describe("a stream", () => {
  const EVENT = { type: "turn_started", seq: 8, at: "2026-01-01T00:00:00.000Z" };

  async function followed(leaving = new AbortController()) {
    const setup = setUp();
    const cursor = { epoch: "epoch", seq: 7 };
    const stream = setup.transport.followSession("ses", cursor, leaving);
    const batches = stream[Symbol.asyncIterator]() as AsyncGenerator<readonly SessionFrame[]>;
    const first = batches.next();
    const socket = await setup.welcomed();
    const { requestId, subscriptionId } = socket.last("subscribe");
    const give = (frame: object): void => {
      const [type, name] = "seq" in frame ? ["chat_event", "event"] : ["chat_frame", "frame"];
      socket.give({ type, sessionId: "ses", subscriptionId, [name]: frame });
    };
    socket.give({ type: "result", requestId });
    expect(await first).toEqual({ done: false, value: [] });
    return { ...setup, leaving, batches, socket, give, subscriptionId };
  }

  test("names its cursor, and gives frames in the batches that arrived", async () => {
    const { batches, socket, give } = await followed();
    expect(socket.last("subscribe")).toMatchObject({ sessionId: "ses", after: 7, epoch: "epoch" });
    const delta = { type: "text_delta", text: "a" };
    give(delta);
    give(EVENT);
    expect((await batches.next()).value).toEqual([delta, EVENT]);
    give({ type: "closing", reason: "session_deleted" });
    expect((await batches.next()).value).toEqual([{ type: "closing", reason: "session_deleted" }]);
    expect((await batches.next()).done).toBe(true);
  });

  test("twice for one session is two streams", async () => {
    const { transport, batches, socket, give, leaving } = await followed();
    const again = transport.followSession("ses", { seq: 0 }, leaving)[Symbol.asyncIterator]();
    const first = again.next();
    await settled();
    const { requestId, subscriptionId } = socket.last("subscribe");
    socket.give({ type: "result", requestId });
    await first;
    give(EVENT);
    expect((await batches.next()).value).toEqual([EVENT]);
    await batches.return(undefined);
    expect(socket.last("unsubscribe")["subscriptionId"]).not.toBe(subscriptionId);
    expect(socket.isClosed).toBe(false);
    const event = { type: "chat_event", sessionId: "ses", subscriptionId, event: EVENT };
    socket.give(event);
    expect((await again.next()).value).toEqual([EVENT]);
    leaving.abort();
    expect(socket.isClosed).toBe(true);
    await rejectionOf(again.next());
  });

  test.each<[string, (stream: Awaited<ReturnType<typeof followed>>) => void]>([
    ["connection breaks", ({ socket }) => socket.breakOff()],
    [
      "gateway ends it",
      ({ socket, subscriptionId }) =>
        refuse(socket, new ProtocolError("INTERNAL", "Failed."), { subscriptionId }),
    ],
  ])("gives the earlier frames, then CONNECTION_CLOSED, when its %s", async (_, happen) => {
    const stream = await followed();
    stream.give(EVENT);
    happen(stream);
    expect((await stream.batches.next()).value).toEqual([EVENT]);
    const error = await rejectionOf(stream.batches.next());
    expect(error).toMatchObject({ name: "ClientError", code: "CONNECTION_CLOSED" });
  });

  test("rejects with the problem when it is refused", async () => {
    const { transport, welcomed } = setUp();
    const stream = transport.followSession("ses", { seq: 0 }, new AbortController());
    const failed = rejectionOf(stream[Symbol.asyncIterator]().next());
    const socket = await welcomed();
    const { requestId } = socket.last("subscribe");
    refuse(socket, new ProtocolError("NOT_FOUND", "There is no such session."), { requestId });
    expect(await failed).toMatchObject({ name: "ProtocolError", code: "NOT_FOUND" });
  });

  test("gives a slow reader the received frames in order, then asks to be resumed", async () => {
    const { batches, socket, give } = await followed();
    const text = "x".repeat(1_000_000);
    for (let seq = 8; seq < 28; seq += 1) give({ ...EVENT, seq, text });
    expect(socket.last("unsubscribe")).toMatchObject({ sessionId: "ses" });
    const batch = (await batches.next()).value as { seq: number }[];
    expect(batch.map(({ seq }) => seq)).toEqual(batch.map((_, index) => 8 + index));
    expect(batch.length).toBeLessThan(20);
    expect(await rejectionOf(batches.next())).toMatchObject({ code: "CONNECTION_CLOSED" });
  });

  test("accepts a frame of any size when no others are waiting", async () => {
    const { batches, give } = await followed();
    give({ ...EVENT, text: "x".repeat(10_000_000) });
    expect((await batches.next()).value).toHaveLength(1);
  });

  test("[R-18] closes the connection at once when it was the last", async () => {
    const left = await followed();
    await left.batches.return(undefined);
    const aborted = await followed();
    const failed = rejectionOf(aborted.batches.next());
    aborted.leaving.abort(new Error("Enough."));
    expect(aborted.socket.isClosed).toBe(true);
    expect(await failed).toMatchObject({ message: "Enough." });
    await settled();
    for (const { socket, clock } of [left, aborted]) {
      expect(socket.isClosed).toBe(true);
      expect(clock.sleeperCount).toBe(0);
    }
  });

  test("[R-18] is not followed if it is left before it is open", async () => {
    const { transport, welcomed } = setUp();
    const stays = transport.followOverview(new AbortController())[Symbol.asyncIterator]();
    const first = stays.next();
    const socket = await welcomed();
    socket.give({ type: "result", requestId: socket.last("subscribe_overview")["requestId"] });
    await first;
    const leaving = new AbortController();
    const stream = transport.followSession("ses", { seq: 0 }, leaving)[Symbol.asyncIterator]();
    const failed = rejectionOf(stream.next());
    await settled();
    leaving.abort(new Error("Enough."));
    expect(await failed).toMatchObject({ message: "Enough." });
    const { subscriptionId } = socket.last("subscribe");
    expect(socket.last("unsubscribe")).toEqual({
      type: "unsubscribe",
      sessionId: "ses",
      subscriptionId,
    });
    expect(socket.isClosed).toBe(false);
  });

  test("ends when the transport is disposed", async () => {
    const { transport, batches, give } = await followed();
    give(EVENT);
    await transport[Symbol.asyncDispose]();
    expect(await rejectionOf(batches.next())).toMatchObject({ code: "CONNECTION_CLOSED" });
    expect(await rejectionOf(transport.listAgents())).toMatchObject({ code: "CONNECTION_CLOSED" });
  });
});

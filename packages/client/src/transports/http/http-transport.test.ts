import { ProtocolError, toProblem, type SessionFrame } from "@holdpoint/protocol";
import { describe, expect, onTestFinished, test } from "vitest";

import {
  createSimulatedClock,
  settled,
  type SimulatedClock,
} from "../../testing/simulated-clock.ts";
import type { Transport } from "../transport.ts";
import { createHttpTransport } from "./http-transport.ts";

interface Seen {
  readonly url: string;
  readonly init: RequestInit;
  readonly headers: Headers;
}

interface Setup {
  readonly transport: Transport;
  readonly clock: SimulatedClock;
  readonly seen: Seen[];
}

type Answer = (seen: Seen) => Response | Promise<Response>;

function setUp(answer: Answer, token: string | (() => string | undefined) = "secret"): Setup {
  const clock = createSimulatedClock();
  const seen: Seen[] = [];
  let keys = 0;
  const transport = createHttpTransport({
    baseUrl: "http://gateway.test/",
    token,
    clientId: "client-1",
    clock,
    randomness: { fraction: () => 0, key: () => `key-number-${(keys += 1)}` },
    fetch: async (input, init = {}) => {
      const request = { url: input as string, init, headers: new Headers(init.headers) };
      seen.push(request);
      return answer(request);
    },
  });
  onTestFinished(async () => {
    await transport[Symbol.asyncDispose]();
    await settled();
    expect(clock.sleeperCount).toBe(0);
  });
  return { transport, clock, seen };
}

/** An answer that never arrives; rejects when the request is aborted, as `fetch` does. */
function never({ init }: Seen): Promise<Response> {
  return new Promise((_, reject) => {
    init.signal?.addEventListener("abort", () => reject(init.signal?.reason), { once: true });
  });
}

function json(value: unknown, status = 200): Response {
  return new Response(JSON.stringify(value), { status });
}

function rejectionOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );
}

interface Wire {
  readonly response: Response;
  send(bytes: string | Uint8Array): void;
  end(): void;
  breakOff(): void;
  readonly isCancelled: () => boolean;
}

function createWire(): Wire {
  let isCancelled = false;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (started) => void (controller = started),
    cancel: () => void (isCancelled = true),
  });
  return {
    response: new Response(body, { headers: { "Content-Type": "text/event-stream" } }),
    send: (bytes) =>
      controller?.enqueue(typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes),
    end: () => controller?.close(),
    breakOff: () => controller?.error(new TypeError("terminated")),
    isCancelled: () => isCancelled,
  };
}

describe("a request", () => {
  test("carries token, client and JSON, and ids cannot escape their place in the path", async () => {
    const { transport, seen } = setUp(() => json({}));
    await transport.updateSession("../x?y", { title: "New" });
    const [{ url, init, headers }] = seen as [Seen];
    expect(url).toBe("http://gateway.test/api/sessions/..%2Fx%3Fy");
    expect(init).toMatchObject({ method: "PATCH", body: '{"title":"New"}' });
    expect(Object.fromEntries(headers)).toEqual({
      accept: "application/json",
      authorization: "Bearer secret",
      "content-type": "application/json",
      "x-holdpoint-client": "client-1",
    });
  });

  test("gets an idempotency key for a message or a response, if it has none", async () => {
    const { transport, seen } = setUp(() => json({ interaction: {} }));
    await transport.sendMessage("ses", { content: "Hello" });
    await transport.respond("int", { action: "deny" });
    await transport.respond("int", { action: "deny", idempotencyKey: "my-own-key" });
    await transport.denyTool("ses", "call");
    const bodies = seen.map(({ init }) => JSON.parse(init.body as string) as object);
    expect(bodies).toEqual([
      { content: "Hello", idempotencyKey: "key-number-1" },
      { action: "deny", idempotencyKey: "key-number-2" },
      { action: "deny", idempotencyKey: "my-own-key" },
      { toolCallId: "call" },
    ]);
  });

  test("reads the token each time, and is sent without one if there is none", async () => {
    const tokens = ["first", undefined];
    const { transport, seen } = setUp(
      () => json({ items: [] }),
      () => tokens.shift(),
    );
    await transport.listSessions();
    await transport.listSessions({ cursor: "a&b" });
    expect(seen.map(({ headers }) => headers.get("authorization"))).toEqual(["Bearer first", null]);
    expect(seen[1]!.url).toBe("http://gateway.test/api/sessions?cursor=a%26b");
  });

  test("rejects with the error described by a problem document", async () => {
    const problem = toProblem(
      new ProtocolError("RATE_LIMITED", "Slow down.", { retryAfterMs: 2000 }),
    );
    const { transport } = setUp(() => json(problem, 429));
    const error = await rejectionOf(transport.listAgents());
    expect(ProtocolError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({
      code: "RATE_LIMITED",
      message: "Slow down.",
      extras: { retryAfterMs: 2000 },
    });
  });

  test("returns a losing response as a result, and rejects with a forbidden one", async () => {
    const lost = toProblem(new ProtocolError("EXPIRED", "Too late."));
    const forbidden = toProblem(new ProtocolError("INTERACTION_DISABLED", "Off."));
    const answers = [json(lost, 410), json(forbidden, 403)];
    const { transport } = setUp(() => answers.shift()!);
    const result = await transport.respond("int", { action: "deny" });
    expect(result).toEqual({ status: "refused", problem: lost });
    const error = await rejectionOf(transport.respond("int", { action: "deny" }));
    expect(error).toMatchObject({ code: "INTERACTION_DISABLED" });
  });

  test.each([
    ["an answer that is no JSON", new Response("<html>"), "BAD_ANSWER"],
    ["an error without a problem", new Response("no", { status: 500 }), "BAD_ANSWER"],
    ["a problem of a later version", json({ code: "NEW", detail: "" }, 418), "BAD_ANSWER"],
    [
      "a proxy that cannot reach the gateway",
      new Response("", { status: 502 }),
      "CONNECTION_CLOSED",
    ],
  ])("%s is a ClientError", async (_, response, code) => {
    const { transport } = setUp(() => response);
    expect(await rejectionOf(transport.listAgents())).toMatchObject({ name: "ClientError", code });
  });

  test("over a dead socket is CONNECTION_CLOSED", async () => {
    const cause = new TypeError("fetch failed");
    const { transport } = setUp(() => Promise.reject(cause));
    const error = await rejectionOf(transport.listAgents());
    expect(error).toMatchObject({ name: "ClientError", code: "CONNECTION_CLOSED", cause });
  });

  test("is REQUEST_TIMEOUT without a response within 30 s", async () => {
    const { transport, clock } = setUp(never);
    const failed = rejectionOf(transport.listAgents());
    await clock.advance(29_999);
    expect(clock.sleeperCount).toBe(1);
    await clock.advance(1);
    expect(await failed).toMatchObject({ name: "ClientError", code: "REQUEST_TIMEOUT" });
  });

  test("[R-18] rejects with the reason when aborted, and with CONNECTION_CLOSED when disposed", async () => {
    const { transport } = setUp(never);
    const caller = new AbortController();
    const reason = new Error("Enough.");
    const aborted = rejectionOf(transport.listAgents(caller));
    const closed = rejectionOf(transport.listAgents());
    caller.abort(reason);
    expect(await aborted).toBe(reason);
    await transport[Symbol.asyncDispose]();
    expect(await closed).toMatchObject({ code: "CONNECTION_CLOSED" });
    expect(await rejectionOf(transport.listAgents())).toMatchObject({ code: "CONNECTION_CLOSED" });
  });
});

describe("a stream", () => {
  const PING = { type: "ping", at: "2026-01-01T00:00:00.000Z" };
  const PING_LINES = `data: ${JSON.stringify(PING)}\n\n`;

  function followed(wire: Wire, seq = 7, epoch = "epoch.1") {
    const setup = setUp(() => wire.response);
    const leaving = new AbortController();
    const cursor = { epoch, seq };
    const stream = setup.transport.followSession("ses", cursor, leaving);
    const batches = stream[Symbol.asyncIterator]() as AsyncGenerator<readonly SessionFrame[]>;
    onTestFinished(() => leaving.abort());
    return { ...setup, leaving, batches };
  }

  test("names client and cursor, and reports at once that it is open", async () => {
    const { batches, seen } = followed(createWire());
    expect(await batches.next()).toEqual({ done: false, value: [] });
    const [{ url, headers }] = seen as [Seen];
    expect(url).toBe("http://gateway.test/api/sessions/ses/events?after=7&client=client-1");
    expect(headers.get("last-event-id")).toBe("epoch.1.7");
    expect(headers.get("accept")).toBe("text/event-stream");
    expect(url).not.toContain("secret");
  });

  test("gives frames in the batches that arrive, wherever the bytes are cut", async () => {
    const wire = createWire();
    const { batches } = followed(wire);
    await batches.next();
    wire.send(`${PING_LINES}id: epoch.8\ndata: {"type":"clos`);
    expect((await batches.next()).value).toEqual([PING]);
    wire.send(`ing","reason":"draining"}\n\n`);
    expect((await batches.next()).value).toEqual([{ type: "closing", reason: "draining" }]);
    expect((await batches.next()).done).toBe(true);
    expect(wire.isCancelled()).toBe(true);
  });

  test("keeps characters whole that are cut between chunks", async () => {
    const wire = createWire();
    const { batches } = followed(wire);
    await batches.next();
    const bytes = new TextEncoder().encode('data: {"type":"ping","at":"é😀"}\n\n');
    for (const byte of bytes) wire.send(Uint8Array.of(byte));
    expect((await batches.next()).value).toEqual([{ type: "ping", at: "é😀" }]);
  });

  test.each([
    ["ends without a reason", (wire: Wire) => wire.end(), "CONNECTION_CLOSED"],
    ["breaks", (wire: Wire) => wire.breakOff(), "CONNECTION_CLOSED"],
    ["carries no JSON", (wire: Wire) => wire.send("data: {\n\n"), "BAD_ANSWER"],
    ["carries no frame", (wire: Wire) => wire.send("data: [1]\n\n"), "BAD_ANSWER"],
  ] as const)("is a ClientError if it %s", async (_, happen, code) => {
    const wire = createWire();
    const { batches } = followed(wire);
    await batches.next();
    happen(wire);
    expect(await rejectionOf(batches.next())).toMatchObject({ name: "ClientError", code });
  });

  test("is dead after 45 s without a sign of life, not earlier, and not while frames arrive", async () => {
    const wire = createWire();
    const { batches, clock } = followed(wire);
    await batches.next();
    const ping = batches.next();
    await clock.advance(44_000);
    wire.send(PING_LINES);
    expect((await ping).value).toEqual([PING]);
    const failed = rejectionOf(batches.next());
    await clock.advance(44_999);
    expect(wire.isCancelled()).toBe(false);
    await clock.advance(1);
    expect(await failed).toMatchObject({ code: "CONNECTION_CLOSED" });
    expect(wire.isCancelled()).toBe(true);
  });

  test("has no timeout of requests", async () => {
    const wire = createWire();
    const { batches, clock } = followed(wire);
    await batches.next();
    await clock.advance(40_000);
    wire.send(PING_LINES);
    expect((await batches.next()).value).toEqual([PING]);
  });

  test("[R-18] gives its connection back when the reader leaves or aborts", async () => {
    for (const isPolite of [true, false]) {
      const wire = createWire();
      const { batches, leaving } = followed(wire);
      await batches.next();
      wire.send(PING_LINES);
      await batches.next();
      if (isPolite) await batches.return(undefined);
      else leaving.abort();
      await settled();
      if (!isPolite) await rejectionOf(batches.next());
      expect(wire.isCancelled()).toBe(true);
    }
  });

  test("rejects with the problem when it is refused", async () => {
    const problem = toProblem(new ProtocolError("NOT_FOUND", "There is no such session."));
    const { transport } = setUp(() => json(problem, 404));
    const stream = transport.followSession("ses", { seq: 0 }, new AbortController());
    const first = stream[Symbol.asyncIterator]().next();
    expect(await rejectionOf(first)).toMatchObject({ name: "ProtocolError", code: "NOT_FOUND" });
  });
});

import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";

import { PROTOCOL_VERSION } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";

import { hello, openSocket, openWelcomed } from "../testing/open-socket.ts";
import { AGENT_TOKEN, PERSON_TOKEN, rawRequest, serve } from "../testing/serve.ts";
import { waitFor } from "../testing/wait-for.ts";

const UPGRADE = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
};

/** The status that a request for a WebSocket is refused with. */
async function refusal(
  port: number,
  { path = "/api/ws", headers = {} }: { path?: string; headers?: Record<string, string> },
): Promise<number> {
  const answer = await rawRequest(port, {
    path,
    headers: { host: `127.0.0.1:${port}`, ...UPGRADE, ...headers },
  });
  expect(answer.headers["content-type"]).toBe("application/problem+json");
  expect(answer.headers["x-content-type-options"]).toBe("nosniff");
  return answer.status;
}

describe("opening a WebSocket", () => {
  test("is refused to another host, origin, site or path", async () => {
    await using served = await serve();
    const { port } = served;
    expect(await refusal(port, { headers: { host: "evil.example" } })).toBe(421);
    for (const origin of ["http://evil.example", "null", `https://127.0.0.1:${port}`]) {
      expect(await refusal(port, { headers: { origin } })).toBe(403);
    }
    expect(await refusal(port, { headers: { "sec-fetch-site": "cross-site" } })).toBe(403);
    for (const path of ["/api/ws/", "/api/wsx", "/ws", "/api/sessions/x/ws"]) {
      expect(await refusal(port, { path })).toBe(404);
    }
    expect(served.gateway.callers).toEqual([]);
  });

  test("is refused to anything but WebSocket", async () => {
    await using served = await serve();
    for (const headers of [
      { upgrade: "h2c" },
      { "sec-websocket-version": "8" },
      { "sec-websocket-key": "short" },
    ]) {
      expect(await refusal(served.port, { headers })).toBe(404);
    }
    expect((await served.call("/api/ws")).status).toBe(404);
  });

  test("[R-20] is refused to a client that sends more than a first frame before the response", async () => {
    await using served = await serve();
    const { port } = served;
    const head = Object.entries({ host: `127.0.0.1:${port}`, ...UPGRADE })
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join("");
    const socket = connect(port, "127.0.0.1");
    socket.write(`GET /api/ws HTTP/1.1\r\n${head}\r\n${"x".repeat(5000)}`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 413 /);
    expect(served.gateway.callers).toEqual([]);
  });

  test("is possible for pages of the gateway, and for programs that have no origin", async () => {
    await using served = await serve();
    for (const options of [{}, { origin: served.url }]) {
      const client = await openSocket(served, options);
      client.send(hello());
      expect(await client.next()).toEqual({
        type: "welcome",
        epoch: "e1",
        protocolVersion: PROTOCOL_VERSION,
      });
      await client.leave();
    }
  });
});

describe("hello", () => {
  test("[R-13] names the caller and announces the client while it is connected", async () => {
    await using served = await serve();
    served.gateway.addSession("ses_1");
    const client = await openWelcomed(served);
    const signal = served.gateway.announced.get("cli_1");
    expect(signal?.aborted).toBe(false);
    client.send({ type: "request", requestId: "1", method: "listSessions", params: { query: {} } });
    expect(await client.next()).toMatchObject({ type: "result", requestId: "1" });
    expect(served.gateway.callers).toEqual([
      {
        principal: "person",
        person: "Ada",
        role: "owner",
        signedIn: { how: "program_token", at: "2026-01-01T00:00:00.000Z" },
        client: "person's program",
        clientId: "cli_1",
        tokenId: "tok_person",
        scope: "respond",
      },
    ]);
    await client.leave();
    await waitFor(() => expect(signal?.aborted).toBe(true));
  });

  test.each([
    [undefined, []],
    [{ supported: true, enabled: true }, [true]],
    [{ supported: true, enabled: false }, [false]],
    [{ supported: false, enabled: true }, [false]],
  ])("with interaction %o sets the mode before the client is announced", async (said, modes) => {
    await using served = await serve();
    const { gateway } = served;
    const seen: unknown[] = [];
    gateway.setInteractionMode = async (_, clientId, { enabled }) => {
      expect(gateway.announced.has(clientId)).toBe(false);
      seen.push(enabled);
    };
    const client = await openWelcomed(served, { ...(said && { interaction: said }) });
    expect(seen).toEqual(modes);
    await client.leave();
  });

  test("may be followed at once by other frames", async () => {
    await using served = await serve();
    const client = await openSocket(served);
    client.send(hello());
    for (const requestId of ["1", "2"]) client.send({ type: "ping", requestId });
    expect((await client.take(3)).map(({ type, requestId }) => requestId ?? type)).toEqual([
      "welcome",
      "1",
      "2",
    ]);
    await client.leave();
  });

  test.each([
    ["a wrong token", hello({ token: "x".repeat(43) }), "UNAUTHENTICATED", 4401],
    ["no token", { type: "hello", clientId: "cli_1" }, "UNAUTHENTICATED", 4401],
    ["an agent's token", hello({ token: AGENT_TOKEN }), "FORBIDDEN", 4403],
    ["no client", { type: "hello", token: PERSON_TOKEN }, "BAD_REQUEST", 4400],
    ["an invalid client name", hello({ clientId: "a b" }), "BAD_REQUEST", 4400],
    ["more than allowed", hello({ admin: true }), "BAD_REQUEST", 4400],
    ["more than 4 KiB", hello({ token: "x".repeat(4096) }), "TOO_LARGE", 1009],
    ["no JSON", "hello", "BAD_REQUEST", 4400],
    ["no object", "[]", "BAD_REQUEST", 4400],
    ["another frame", { type: "ping" }, "BAD_REQUEST", 4400],
  ])("[R-13] with %s gets the reason, and is closed", async (_, first, code, closeCode) => {
    await using served = await serve();
    const timers = served.clock.timerCount;
    const client = await openSocket(served);
    client.send(first);
    client.send({ type: "request", requestId: "1", method: "listSessions", params: { query: {} } });
    expect(await client.closed).toEqual({ code: closeCode, reason: code });
    const frames = await client.rest();
    expect(frames).toMatchObject([{ type: "error", code, problem: { code } }]);
    expect(JSON.stringify(frames)).not.toContain("xxxx");
    expect(served.gateway.callers).toEqual([]);
    expect(served.gateway.announced.size).toBe(0);
    await waitFor(() => expect(served.clock.timerCount).toBe(timers));
  });

  test("has to come within five seconds", async () => {
    await using served = await serve();
    const client = await openSocket(served);
    await served.clock.advance(4999);
    expect(client.socket.readyState).toBe(WebSocket.OPEN);
    await served.clock.advance(1);
    expect(await client.closed).toEqual({ code: 1008, reason: "hello_timeout" });
  });

  test("with an unknown token is refused from an address that tried ten, and never with a right one", async () => {
    await using served = await serve();
    for (let index = 0; index < 10; index += 1) {
      const guess = await openSocket(served);
      guess.send(hello({ token: `guess-${index}`.padEnd(43, "x") }));
      expect((await guess.closed).code).toBe(4401);
    }
    const client = await openSocket(served);
    client.send(hello({ token: "another guess".padEnd(43, "x") }));
    expect(await client.closed).toEqual({ code: 4429, reason: "RATE_LIMITED" });
    expect(await client.rest()).toMatchObject([{ problem: { retryAfterMs: 60_000 } }]);
    await (await openWelcomed(served)).leave();
  });

  test("[R-20] is refused to a person with the maximum of streams", async () => {
    await using served = await serve({ streamLimits: { perPerson: 1 } });
    const first = await openWelcomed(served);
    const second = await openSocket(served);
    second.send(hello({ clientId: "cli_2" }));
    expect(await second.closed).toEqual({ code: 4429, reason: "RATE_LIMITED" });
    expect(served.gateway.announced.has("cli_2")).toBe(false);
    await first.leave();
  });

  test("[R-20] is checked before anything more is read", async () => {
    await using served = await serve();
    const gate = Promise.withResolvers<void>();
    const findByHash = served.credentials.findByHash.bind(served.credentials);
    served.credentials.findByHash = async (hash) => {
      await gate.promise;
      return findByHash(hash);
    };
    const client = await openSocket(served);
    client.send(hello());
    const frame = `{"type":"ping"}${" ".repeat(200_000)}`;
    for (let index = 0; index < 200; index += 1) client.send(frame);
    // Enough time for all of it to be transferred, if anyone read it.
    for (let index = 0; index < 20; index += 1) await served.call("/healthz");
    expect(client.socket.bufferedAmount).toBeGreaterThan(100 * frame.length);
    gate.resolve();
    expect((await client.take(201)).map(({ type }) => type)).toEqual([
      "welcome",
      ...Array.from({ length: 200 }, () => "ping"),
    ]);
    await client.leave();
  });

  test("gets no reason if its credential cannot be looked up", async () => {
    const lines: object[] = [];
    const log = { info: () => {}, warn: () => {}, error: (line: object) => void lines.push(line) };
    await using served = await serve({ log });
    served.credentials.findByHash = () => Promise.reject(new Error("secret path"));
    const client = await openSocket(served);
    client.send(hello());
    expect(await client.closed).toEqual({ code: 1011, reason: "INTERNAL" });
    expect(JSON.stringify(await client.rest())).not.toContain("secret");
    expect(lines).toHaveLength(1);
  });
});

test("[R-18] leaves nothing when its connection breaks off at once", async () => {
  await using served = await serve();
  const timers = served.clock.timerCount;
  const client = await openSocket(served);
  expect(served.clock.timerCount).toBe(timers + 1);
  client.socket.terminate();
  await once(client.socket, "close");
  await waitFor(() => expect(served.clock.timerCount).toBe(timers));
});

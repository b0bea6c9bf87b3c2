import { ProtocolError, toProblem } from "@holdpoint/protocol";
import { describe, expect, onTestFinished, test } from "vitest";

import { createFakeWebSockets, type FakeSocket } from "../testing/fake-web-socket.ts";
import { createSimulatedClock, settled } from "../testing/simulated-clock.ts";
import { createBrowserTransport } from "./browser-transport.ts";

const CURSOR = { seq: 0 };

function setUp(answer: () => Response | Promise<Response>) {
  const paths: string[] = [];
  const { sockets, WebSocket } = createFakeWebSockets();
  const clock = createSimulatedClock();
  const transport = createBrowserTransport({
    baseUrl: "http://gateway.test",
    token: "secret",
    clientId: "client-1",
    clock,
    WebSocket,
    async fetch(url) {
      paths.push(new URL(url as string).pathname);
      return answer();
    },
  });
  onTestFinished(() => transport[Symbol.asyncDispose]());
  const left = new AbortController();
  onTestFinished(() => left.abort());
  const stream = transport.followSession("s1", CURSOR, left)[Symbol.asyncIterator]();
  return { paths, sockets, stream, transport, clock };
}

/** An event stream that is open, sends one frame and stays open. */
function eventStream(): Response {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('data: {"type":"synced"}\n\n'));
    },
  });
  return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
}

const refuse = (problem: ProtocolError) => () => Response.json(toProblem(problem), { status: 401 });

async function opened(sockets: readonly FakeSocket[]): Promise<FakeSocket> {
  await settled();
  return sockets.at(-1)!;
}

/** Confirms the subscription that the client asks for. */
async function stand(socket: FakeSocket): Promise<void> {
  socket.welcome();
  await settled();
  socket.give({ type: "result", requestId: socket.last("subscribe")["requestId"] });
}

describe("a page's transport", () => {
  test("follows over a WebSocket, and sends requests over HTTP", async () => {
    const { paths, sockets, stream, transport } = setUp(() => Response.json({ items: [] }));
    const standing = stream.next();
    const socket = await opened(sockets);
    await stand(socket);
    expect(await standing).toEqual({ done: false, value: [] });
    await transport.listAgents();
    expect(paths).toEqual(["/api/agents"]);
  });

  test("follows over HTTP where no WebSocket gets through", async () => {
    const { paths, sockets, stream } = setUp(eventStream);
    const standing = stream.next();
    (await opened(sockets)).breakOff();
    expect(await standing).toEqual({ done: false, value: [] });
    expect(await stream.next()).toEqual({ done: false, value: [{ type: "synced" }] });
    expect(paths).toEqual(["/api/sessions/s1/events"]);
  });

  test("follows over HTTP where a WebSocket neither opens nor fails", async () => {
    const { sockets, stream, clock } = setUp(eventStream);
    const standing = stream.next();
    await opened(sockets);
    await clock.advance(8000);
    expect(await standing).toEqual({ done: false, value: [] });
    expect(sockets.at(-1)?.isClosed).toBe(true);
  });

  test("a refusal comes from the gateway's HTTP routes, whatever refused before", async () => {
    const refusal = new ProtocolError("UNAUTHENTICATED", "Who are you?");
    const { paths, sockets, stream } = setUp(refuse(refusal));
    const standing = stream.next();
    const socket = await opened(sockets);
    socket.give({ type: "error", problem: toProblem(refusal) });
    await expect(standing).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    expect(paths).toHaveLength(1);
  });

  test("[R-7] a broken stream does not continue over HTTP: the next one begins at its end", async () => {
    const { paths, sockets, stream } = setUp(eventStream);
    const standing = stream.next();
    const socket = await opened(sockets);
    await stand(socket);
    await standing;
    const next = stream.next();
    socket.breakOff();
    await expect(next).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
    expect(paths).toEqual([]);
  });

  test("an unreachable gateway is a typed error", async () => {
    const { sockets, stream } = setUp(() => Promise.reject(new TypeError("Failed to fetch")));
    const standing = stream.next();
    (await opened(sockets)).breakOff();
    await expect(standing).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  });
});

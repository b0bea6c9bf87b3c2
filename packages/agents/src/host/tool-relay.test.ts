import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

import { createParser } from "eventsource-parser";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import type { ToolEndpoint } from "./host-protocol.ts";
import { openToolRelay, type ToolRelay } from "./tool-relay.ts";

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
}

/** A gateway that records its requests, and answers when the test decides. */
interface Gateway extends Disposable {
  readonly endpoint: ToolEndpoint;
  readonly heard: string[];
  /** Pending calls by request id. */
  readonly calls: Map<number, ServerResponse>;
  readonly follower: () => ServerResponse | undefined;
}

async function openGateway(name: string): Promise<Gateway> {
  const heard: string[] = [];
  const calls = new Map<number, ServerResponse>();
  let follower: ServerResponse | undefined;
  const server: Server = createServer((request, response) => void hear(request, response));
  const hear = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.headers.authorization !== `Bearer ${name}`) {
      response.writeHead(401).end();
      return;
    }
    if (request.method === "GET") {
      follower = response.writeHead(200, { "content-type": "text/event-stream" });
      response.flushHeaders();
      return;
    }
    const { id, method } = JSON.parse(await text(request)) as Message;
    heard.push(`${method} ${String(request.headers["mcp-session-id"] ?? "-")}`);
    if (method === "initialize") {
      response.writeHead(200, {
        "content-type": "application/json",
        "mcp-session-id": `s-${name}`,
      });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result: { from: name } }));
    } else if (id === undefined) {
      response.writeHead(202).end();
    } else {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.flushHeaders();
      calls.set(id, response);
    }
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: { url: `http://127.0.0.1:${port}/mcp`, token: name },
    heard,
    calls,
    follower: () => follower,
    [Symbol.dispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function say(response: ServerResponse | undefined, message: unknown): void {
  response?.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
}

let relay: ToolRelay;
let first: Gateway;
let second: Gateway;
beforeEach(async () => {
  relay = await openToolRelay();
  first = await openGateway("first");
  second = await openGateway("second");
});
afterEach(() => {
  for (const each of [relay, first, second]) each[Symbol.dispose]();
});

function post(body: unknown, session?: string, token = relay.endpoint.token): Promise<Response> {
  return fetch(relay.endpoint.url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      ...(session !== undefined && { "mcp-session-id": session }),
    },
    body: JSON.stringify(body),
  });
}

async function read(response: Response): Promise<Message[]> {
  const messages: Message[] = [];
  const parser = createParser({
    onEvent: ({ data }) => void messages.push(JSON.parse(data) as Message),
  });
  parser.feed(await response.text());
  return messages;
}

const INITIALIZE = { jsonrpc: "2.0", id: 0, method: "initialize", params: {} };
const call = (id: number) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { id } });

async function openSession(): Promise<string> {
  const response = await post(INITIALIZE);
  const id = response.headers.get("mcp-session-id") ?? "";
  expect(await read(response)).toEqual([{ jsonrpc: "2.0", id: 0, result: { from: "first" } }]);
  await post({ jsonrpc: "2.0", method: "notifications/initialized" }, id);
  return id;
}

describe("[R-4] a tool call whose gateway goes away", () => {
  test("is made again with the next gateway, and answered once", async () => {
    relay.serve(first.endpoint);
    const session = await openSession();
    const answered = post(call(7), session).then(read);
    await vi.waitFor(() => expect(first.calls.has(7)).toBe(true));
    say(first.calls.get(7), { jsonrpc: "2.0", method: "notifications/progress", params: {} });
    first[Symbol.dispose]();
    relay.serve(undefined);
    relay.serve(second.endpoint);
    await vi.waitFor(() => expect(second.calls.has(7)).toBe(true), 3000);
    expect(second.heard).toEqual([
      "initialize -",
      "notifications/initialized s-second",
      "tools/call s-second",
    ]);
    say(second.calls.get(7), { jsonrpc: "2.0", id: 7, result: "done" });
    const messages = await answered;
    expect(messages.filter(({ id }) => id === 7)).toEqual([
      { jsonrpc: "2.0", id: 7, result: "done" },
    ]);
  });

  test("waits while there is no gateway, even if its response has already begun", async () => {
    relay.serve(first.endpoint);
    const session = await openSession();
    relay.serve(undefined);
    const response = await post(call(8), session);
    expect(response.status).toBe(200);
    relay.serve(second.endpoint);
    await vi.waitFor(() => expect(second.calls.has(8)).toBe(true), 3000);
    say(second.calls.get(8), { jsonrpc: "2.0", id: 8, result: "late" });
    expect(await read(response)).toEqual([{ jsonrpc: "2.0", id: 8, result: "late" }]);
  });

  test("is not lost when the gateway no longer knows the token", async () => {
    relay.serve(first.endpoint);
    const session = await openSession();
    relay.serve({ ...first.endpoint, token: "revoked" });
    const answered = post(call(9), session).then(read);
    await new Promise((resolve) => setTimeout(resolve, 50));
    relay.serve(second.endpoint);
    await vi.waitFor(() => expect(second.calls.has(9)).toBe(true), 3000);
    say(second.calls.get(9), { jsonrpc: "2.0", id: 9, result: "ok" });
    expect(await answered).toEqual([{ jsonrpc: "2.0", id: 9, result: "ok" }]);
  });

  test("is cancelled at the gateway when the agent cancels it", async () => {
    relay.serve(first.endpoint);
    const session = await openSession();
    const stop = new AbortController();
    const gone = fetch(relay.endpoint.url, {
      method: "POST",
      headers: { authorization: `Bearer ${relay.endpoint.token}`, "mcp-session-id": session },
      body: JSON.stringify(call(10)),
      signal: stop.signal,
    }).catch(() => "given up");
    await vi.waitFor(() => expect(first.calls.has(10)).toBe(true));
    const closed = once(first.calls.get(10)!, "close");
    stop.abort();
    await closed;
    await gone;
    // Otherwise the gateway would wait for it to be repeated.
    expect(first.heard.at(-1)).toBe("notifications/cancelled s-first");
  });
});

describe("[R-15] a request with the id of an open one", () => {
  test("is refused by the relay, reaches no gateway, and cancels nothing when it ends", async () => {
    relay.serve(first.endpoint);
    const session = await openSession();
    const answered = post(call(7), session).then(read);
    await vi.waitFor(() => expect(first.calls.has(7)).toBe(true));
    const before = first.heard.length;
    for (const body of [call(7), [call(8), call(7)], [call(9), call(9)]]) {
      const refused = await post(body, session);
      expect(refused.status).toBe(400);
      expect(await refused.json()).toMatchObject({ id: null, error: { code: -32_600 } });
    }
    // Longer than a gateway waits for the report of calls that were given up.
    await new Promise((resolve) => setTimeout(resolve, 2100));
    expect(first.heard).toHaveLength(before);
    say(first.calls.get(7), { jsonrpc: "2.0", id: 7, result: "ok" });
    expect(await answered).toEqual([{ jsonrpc: "2.0", id: 7, result: "ok" }]);
    const again = post(call(7), session).then(read);
    await vi.waitFor(() => expect(first.heard).toHaveLength(before + 1));
    say(first.calls.get(7), { jsonrpc: "2.0", id: 7, result: "again" });
    expect(await again).toEqual([{ jsonrpc: "2.0", id: 7, result: "again" }]);
  });
});

test("messages that a gateway starts come from each gateway", async () => {
  relay.serve(first.endpoint);
  const session = await openSession();
  const headers = { authorization: `Bearer ${relay.endpoint.token}`, "mcp-session-id": session };
  const stop = new AbortController();
  const response = await fetch(relay.endpoint.url, { headers, signal: stop.signal });
  let said = "";
  const reading = (async () => {
    for await (const chunk of response.body ?? []) said += Buffer.from(chunk).toString();
  })().catch(() => undefined);
  await vi.waitFor(() => expect(first.follower()).toBeDefined(), 3000);
  say(first.follower(), { method: "notifications/tools/list_changed", from: "first" });
  await vi.waitFor(() => expect(said).toContain("first"), 3000);
  relay.serve(second.endpoint);
  await vi.waitFor(() => expect(second.follower()).toBeDefined(), 3000);
  say(second.follower(), { method: "notifications/tools/list_changed", from: "second" });
  await vi.waitFor(() => expect(said).toContain("second"), 3000);
  stop.abort();
  await reading;
});

test("[R-13] a client without the token, or from a web page, gets nothing", async () => {
  relay.serve(first.endpoint);
  expect((await post(INITIALIZE, undefined, "wrong")).status).toBe(401);
  const headers = {
    authorization: `Bearer ${relay.endpoint.token}`,
    origin: "http://page.example",
  };
  const fromPage = await fetch(relay.endpoint.url, { method: "POST", headers, body: "{}" });
  expect(fromPage.status).toBe(401);
  expect((await post(call(1), "no such session")).status).toBe(404);
  expect(first.heard).toEqual([]);
});

import { connect } from "node:net";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, test, vi } from "vitest";

import { hashSecret } from "../auth/secrets.ts";
import { SECURITY_HEADERS } from "../http/security-headers.ts";
import type { ServerOptions } from "../server-options.ts";
import { createFakeGateway, type FakeGateway } from "../testing/fake-gateway.ts";
import type { FakeTools } from "../testing/fake-tools.ts";
import { AGENT_TOKEN, PERSON_TOKEN, rawRequest, serve, type Served } from "../testing/serve.ts";
import { waitFor } from "../testing/wait-for.ts";

interface Tested extends Served<FakeGateway> {
  readonly tools: FakeTools;
  /** A client of the protocol's own SDK. */
  connect(token?: string, name?: string): Promise<Client>;
  readonly ownToken: string;
}

async function serveTools(options: Partial<ServerOptions> = {}): Promise<Tested> {
  const stack = new AsyncDisposableStack();
  const gateway = createFakeGateway();
  const served = stack.use(await serve({ ...options, gateway }));
  const access = served.server.openToolAccess("ses_own");
  expect(access.url).toBe(`${served.url}/mcp`);
  return {
    ...served,
    tools: gateway.tools,
    ownToken: access.token,
    connect: async (token = access.token, name = "tester") => {
      const client = new Client({ name, version: "1.0.0" });
      const headers = { authorization: `Bearer ${token}` };
      await client.connect(
        new StreamableHTTPClientTransport(new URL(access.url), {
          requestInit: { headers },
        }),
      );
      stack.defer(() => client.close());
      return client;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

const STRANGER = "s".repeat(43);
const stranger = {
  tokenId: "tok_stranger",
  kind: "agent" as const,
  person: "Ada",
  label: "A stranger",
  createdAtMs: 0,
  tokenHash: hashSecret(STRANGER),
  sessionId: "ses_7",
};

const ask = { name: "ask_user", arguments: { question: "Which?" } };
const luxon = { content: '"luxon"', isError: false };
const firstCall = ({ tools }: Tested) =>
  waitFor(() => {
    expect(tools.calls).toHaveLength(1);
    return tools.calls[0]!;
  });

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "raw", version: "1" },
  },
};
const post = (body: unknown, headers: Record<string, string> = {}, token = AGENT_TOKEN) => ({
  method: "POST",
  body,
  token,
  headers: { accept: "application/json, text/event-stream", ...headers },
});

describe("an MCP client", () => {
  test("lists the tools and calls one for its own session", async () => {
    await using served = await serveTools();
    const client = await served.connect();
    const { tools } = await client.listTools();
    expect(tools).toEqual([
      {
        name: "ask_user",
        description: "The tool ask_user",
        inputSchema: { type: "object", properties: { question: { type: "string" } } },
        annotations: { readOnlyHint: true },
      },
    ]);
    const called = client.callTool(ask);
    const { request, finish } = await firstCall(served);
    expect(request).toEqual({
      sessionId: "ses_own",
      toolCallId: expect.stringMatching(/^mcp_[\w-]{22}$/) as string,
      name: "ask_user",
      args: { question: "Which?" },
    });
    finish({ content: '{"answer":"luxon"}', isError: false, structured: { answer: "luxon" } });
    expect(await called).toEqual({
      content: [{ type: "text", text: '{"answer":"luxon"}' }],
      structuredContent: { answer: "luxon" },
      isError: false,
    });
  });

  test("gets a failing tool as a result, and an unknown tool as an error", async () => {
    await using served = await serveTools();
    const client = await served.connect();
    const called = client.callTool(ask);
    (await firstCall(served)).finish({ content: '{"code":"X"}', isError: true });
    expect(await called).toEqual({
      content: [{ type: "text", text: '{"code":"X"}' }],
      isError: true,
    });
    await expect(client.callTool({ name: "nothing" })).rejects.toMatchObject({ code: -32602 });
  });

  test("is notified when the tools change", async () => {
    await using served = await serveTools();
    const client = await served.connect();
    const heard = vi.fn<() => void>();
    client.setNotificationHandler(ToolListChangedNotificationSchema, heard);
    served.tools.names = ["ask_user", "delete_files"];
    // The client's stream opens some time after it has connected.
    await waitFor(async () => {
      await served.server.announceTools();
      expect(heard).toHaveBeenCalled();
    });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      "ask_user",
      "delete_files",
    ]);
  });

  test("cancels the call that it gives up", async () => {
    await using served = await serveTools();
    const client = await served.connect();
    const abort = new AbortController();
    const called = client.callTool(ask, undefined, { signal: abort.signal });
    called.catch(() => undefined);
    const { signal } = await firstCall(served);
    abort.abort();
    await waitFor(() => expect(signal.aborted).toBe(true));
    await expect(called).rejects.toThrow("aborted");
  });

  test("ends its calls when it disconnects", async () => {
    await using served = await serveTools();
    await served.credentials.add(stranger);
    const client = await served.connect(STRANGER);
    client.callTool(ask).catch(() => undefined);
    const { signal } = await firstCall(served);
    expect(signal.aborted).toBe(false);
    await client.close();
    await waitFor(() => expect(signal.aborted).toBe(true));
  });

  test("[R-5] keeps its calls after a disconnect, if the gateway started it, until the agent's fate is known", async () => {
    await using served = await serveTools();
    const client = await served.connect();
    client.callTool(ask).catch(() => undefined);
    const { signal } = await firstCall(served);
    const timers = served.clock.timerCount;
    await client.close();
    await waitFor(() => expect(served.clock.timerCount).toBe(timers + 1));
    await served.clock.advance(1999);
    expect(signal.aborted).toBe(false);
    await served.clock.advance(1);
    expect(signal.aborted).toBe(true);
  });

  test("leaves no timer behind when its agent was found dead", async () => {
    await using served = await serveTools();
    const client = await served.connect();
    client.callTool(ask).catch(() => undefined);
    const { signal, finish } = await firstCall(served);
    const timers = served.clock.timerCount;
    await client.close();
    await waitFor(() => expect(served.clock.timerCount).toBe(timers + 1));
    finish({ content: '{"code":"DRAINING"}', isError: true });
    await waitFor(() => expect(served.clock.timerCount).toBe(timers));
    expect(signal.aborted).toBe(false);
  });

  test("names the agent's own tool call only if the gateway has started the agent", async () => {
    await using served = await serveTools();
    await served.credentials.add(stranger);
    const meta = { ...ask, _meta: { "claudecode/toolUseId": "toolu_1" } };
    for (const token of [served.ownToken, STRANGER]) {
      const client = await served.connect(token);
      void client.callTool(meta).catch(() => undefined);
    }
    await waitFor(() => expect(served.tools.calls).toHaveLength(2));
    expect(served.tools.calls.map(({ request }) => request)).toMatchObject([
      { sessionId: "ses_own", toolCallId: "toolu_1" },
      { sessionId: "ses_7", toolCallId: expect.stringMatching(/^mcp_/) as string },
    ]);
  });
});

test("gets a waiting message for an outside agent with the result of its next call", async () => {
  const messages = new Map([["ses_7", "A person has answered: luxon"]]);
  const takeMessage = async (sessionId: string) => {
    const message = messages.get(sessionId);
    messages.delete(sessionId);
    return message;
  };
  await using served = await serveTools({ takeMessage });
  await served.credentials.add(stranger);
  const client = await served.connect(STRANGER);
  const abort = new AbortController();
  client.callTool(ask, undefined, { signal: abort.signal }).catch(() => undefined);
  const cancelled = await firstCall(served);
  abort.abort();
  await waitFor(() => expect(cancelled.signal.aborted).toBe(true));
  for (const expected of [["A person has answered: luxon"], []]) {
    const before = served.tools.calls.length;
    const called = client.callTool(ask);
    await waitFor(() => expect(served.tools.calls).toHaveLength(before + 1));
    served.tools.calls.at(-1)!.finish(luxon);
    const texts = [luxon.content, ...expected].map((text) => ({ type: "text", text }));
    expect(await called).toMatchObject({ content: texts });
  }
});

test("[R-4] is pointed once to the earlier answers when it reconnects, as after a kill of the gateway", async () => {
  await using served = await serveTools();
  await served.credentials.add(stranger);
  served.tools.late = { waiting: [], answers: [{ text: "A person has answered: luxon" }] };
  const client = await served.connect(STRANGER);
  const hint =
    "People have answered earlier calls of yours: call get_answers if you do not have these answers.";
  for (const expected of [[hint], []]) {
    const before = served.tools.calls.length;
    const called = client.callTool(ask);
    await waitFor(() => expect(served.tools.calls).toHaveLength(before + 1));
    served.tools.calls.at(-1)!.finish(luxon);
    const texts = [luxon.content, ...expected].map((text) => ({ type: "text", text }));
    expect(await called).toMatchObject({ content: texts });
  }
});

describe("get_answers", () => {
  const getAnswers = (args = {}) => ({ name: "get_answers", arguments: args });
  const late = { waiting: [{ interactionId: "int_2", asked: "Which?" }], answers: [] };

  /** A stranger's client, and its pending messages. */
  async function serveStranger() {
    const messages: string[] = [];
    const served = await serveTools({ takeMessage: async () => messages.shift() });
    await served.credentials.add(stranger);
    return { served, messages, client: await served.connect(STRANGER) };
  }

  test("[R-4] returns answers given since, and earlier ones, as often as it is called", async () => {
    const { served, messages, client } = await serveStranger();
    await using _ = served;
    messages.push("luxon");
    served.tools.late = { ...late, answers: [{ text: "luxon" }, { text: "yes" }] };
    const first = client.callTool(getAnswers());
    let isOver = false;
    void first.then(() => (isOver = true));
    await waitFor(async () => {
      await served.clock.advance(50);
      expect(isOver).toBe(true);
    });
    expect((await first).structuredContent).toEqual({
      new: ["luxon"],
      waiting: late.waiting,
      earlier: ["yes"],
    });
    expect((await client.callTool(getAnswers())).structuredContent).toEqual({
      new: [],
      waiting: late.waiting,
      earlier: ["luxon", "yes"],
    });
    expect(served.tools.calls).toEqual([]);
  });

  test("[R-18] waits for the next answer, and no longer than the client does", async () => {
    const { served, messages, client } = await serveStranger();
    await using _ = served;
    served.tools.late = late;
    const answered = client.callTool(getAnswers({ wait: true }));
    let isOver = false;
    void answered.then(() => (isOver = true));
    await served.clock.advance(5000);
    expect(isOver).toBe(false);
    messages.push("luxon");
    await waitFor(async () => {
      await served.clock.advance(500);
      expect(isOver).toBe(true);
    });
    expect((await answered).structuredContent).toMatchObject({ new: ["luxon"] });
    const unanswered = client.callTool(getAnswers({ wait: true }));
    isOver = false;
    void unanswered.then(() => (isOver = true));
    await waitFor(async () => {
      await served.clock.advance(10_000);
      expect(isOver).toBe(true);
    });
    expect((await unanswered).structuredContent).toMatchObject({ new: [] });
  });

  test("does not wait when no request is open", async () => {
    const { served, client } = await serveStranger();
    await using _ = served;
    const { structuredContent } = await client.callTool(getAnswers({ wait: true }));
    expect(structuredContent).toEqual({ new: [], waiting: [], earlier: [] });
  });

  test("is not offered to an agent that the gateway has started", async () => {
    await using served = await serveTools();
    const client = await served.connect();
    await expect(client.callTool(getAnswers())).rejects.toMatchObject({ code: -32602 });
  });
});

describe("a long wait", () => {
  test("is reported every 15 seconds to a client that asks for it, until it ends", async () => {
    await using served = await serveTools();
    const client = await served.connect();
    const progress: number[] = [];
    const onprogress = (told: { progress: number }) => void progress.push(told.progress);
    const called = client.callTool(ask, undefined, { onprogress });
    const { finish } = await firstCall(served);
    for (let count = 1; count <= 3; count += 1) {
      await served.clock.advance(15_000);
      await waitFor(() => expect(progress).toHaveLength(count));
    }
    expect(progress).toEqual([1, 2, 3]);
    const waiting = served.clock.timerCount;
    finish(luxon);
    expect(await called).toMatchObject({ isError: false });
    await waitFor(() => expect(served.clock.timerCount).toBeLessThan(waiting));
  });

  test.each([
    ["tester", false, 50],
    ["tester", true, 270],
    ["codex-mcp-client", false, 270],
  ])(
    "ends, for %s (progress: %s), as queued after %i seconds",
    async (name, wantsProgress, seconds) => {
      await using served = await serveTools();
      await served.credentials.add(stranger);
      const client = await served.connect(STRANGER, name);
      const options = wantsProgress ? { onprogress: () => undefined } : {};
      const called = client.callTool(ask, undefined, { ...options, timeout: 600_000 });
      await firstCall(served);
      const ended = vi.fn<() => void>();
      void called.then(ended);
      await served.clock.advance(seconds * 1000 - 1);
      expect(ended).not.toHaveBeenCalled();
      await served.clock.advance(1);
      expect(await called).toMatchObject({ structuredContent: { status: "queued" } });
    },
  );

  test("has the limit of the gateway's configuration", async () => {
    await using served = await serveTools({ toolHoldLimitMs: 5000 });
    await served.credentials.add(stranger);
    const client = await served.connect(STRANGER);
    const called = client.callTool(ask);
    await firstCall(served);
    await served.clock.advance(5000);
    expect(await called).toMatchObject({ structuredContent: { status: "queued" } });
  });

  test("has no limit for an agent that the gateway has started", async () => {
    await using served = await serveTools({ toolHoldLimitMs: 5000 });
    const client = await served.connect();
    const called = client.callTool(ask);
    const { finish } = await firstCall(served);
    await served.clock.advance(24 * 60 * 60_000);
    finish(luxon);
    expect(await called).toMatchObject({ content: [{ text: '"luxon"' }] });
  });
});

describe("access to the tools", () => {
  test("[R-13] needs the token of a session's agent", async () => {
    await using served = await serveTools();
    const status = async (init: object) => (await served.call("/mcp", init)).status;
    expect(await status({ ...post(initialize), token: null })).toBe(401);
    expect(await status(post(initialize, {}, "unknown"))).toBe(401);
    expect(await status(post(initialize, {}, PERSON_TOKEN))).toBe(403);
    // The token of an agent that belongs to no session.
    expect(await status(post(initialize))).toBe(403);
    expect(await status(post(initialize, {}, served.ownToken))).toBe(200);
    expect(served.tools.calls).toEqual([]);
  });

  test("is refused to a foreign host or origin first of all", async () => {
    await using served = await serveTools();
    const headers = { authorization: `Bearer ${served.ownToken}` };
    const raw = { path: "/mcp", method: "POST", headers: { ...headers, host: "evil.example" } };
    expect((await rawRequest(served.port, raw)).status).toBe(421);
    const foreign = post(initialize, { origin: "https://evil.example" }, served.ownToken);
    expect((await served.call("/mcp", foreign)).status).toBe(403);
  });

  test("[R-15] is limited to the token that opened the session", async () => {
    await using served = await serveTools();
    const other = served.server.openToolAccess("ses_other");
    const opened = await served.call("/mcp", post(initialize, {}, served.ownToken));
    const headers = { "mcp-session-id": opened.headers.get("mcp-session-id")! };
    const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };
    const mine = await served.call("/mcp", post(list, headers, served.ownToken));
    expect(mine.status).toBe(200);
    const theirs = await served.call("/mcp", post(list, headers, other.token));
    expect(theirs.status).toBe(404);
  });

  test("ends running calls when it is closed, and its token is useless from then on", async () => {
    await using served = await serveTools();
    const access = served.server.openToolAccess("ses_brief");
    const client = await served.connect(access.token);
    client.callTool(ask).catch(() => undefined);
    const { signal } = await firstCall(served);
    await access[Symbol.asyncDispose]();
    // Access ends with its agent, whose calls the engine ends first, if it was lost.
    expect(signal.aborted).toBe(false);
    await served.clock.advance(2000);
    expect(signal.aborted).toBe(true);
    expect((await served.call("/mcp", post(initialize, {}, access.token))).status).toBe(401);
  });

  test("removes the oldest idle one of nine clients with one token", async () => {
    await using served = await serveTools();
    const ids: string[] = [];
    for (let count = 0; count < 9; count += 1) {
      const opened = await served.call("/mcp", post(initialize, {}, served.ownToken));
      ids.push(opened.headers.get("mcp-session-id")!);
      await opened.body?.cancel();
    }
    const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };
    const statuses = [];
    for (const id of ids) {
      const init = post(list, { "mcp-session-id": id }, served.ownToken);
      statuses.push((await served.call("/mcp", init)).status);
    }
    expect(statuses).toEqual([404, ...Array(8).fill(200)]);
  });
});

/** Sends the whole request, and is gone before its answer. */
async function sendAndReset(port: number, body: string, headers: Record<string, string>) {
  const socket = connect(port, "127.0.0.1");
  const fields = { host: `127.0.0.1:${port}`, "content-length": String(body.length), ...headers };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  await new Promise<void>((resolve) => {
    socket.on("close", () => resolve());
    socket.write(`POST /mcp HTTP/1.1\r\n${head.join("")}\r\n${body}`, () =>
      socket.resetAndDestroy(),
    );
  });
}

test("leaves no call behind when clients send anything and disconnect at once", async () => {
  await using served = await serveTools();
  const opened = await served.call("/mcp", post(initialize, {}, served.ownToken));
  const headers = {
    authorization: `Bearer ${served.ownToken}`,
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
    "mcp-session-id": opened.headers.get("mcp-session-id")!,
  };
  for (let round = 1; round <= 40; round += 1) {
    const call = { jsonrpc: "2.0", id: round, method: "tools/call", params: ask };
    for (const body of [5, "x", [1, null], call]) {
      await sendAndReset(served.port, JSON.stringify(body), headers);
    }
  }
  await waitFor(async () => {
    await served.clock.advance(2000);
    expect((await served.call("/healthz")).status).toBe(200);
    expect(served.tools.calls.length).toBeGreaterThan(0);
    expect(served.tools.calls.filter(({ signal }) => !signal.aborted)).toEqual([]);
  });
});

describe("an invalid request", () => {
  test.each([
    ["nothing", undefined, 400],
    ["a call before anything else", { jsonrpc: "2.0", id: 1, method: "tools/list" }, 400],
    ["a probe for a later version", { jsonrpc: "2.0", id: 1, method: "server/discover" }, 400],
    ["something else", { hello: "there" }, 400],
    ["a list", [1, null, "x"], 400],
    ["a broken initialize", { method: "initialize" }, 400],
  ])("%s is refused with a protocol error", async (_, body, status) => {
    await using served = await serveTools();
    const answer = await served.call("/mcp", post(body, {}, served.ownToken));
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ jsonrpc: "2.0", error: {} });
  });

  test("with text that is no JSON, another type or a huge body is a problem as on other routes", async () => {
    await using served = await serveTools();
    const call = async (init: object) => (await served.call("/mcp", init)).status;
    expect(await call(post("{", {}, served.ownToken))).toBe(400);
    expect(await call(post("{}", { "content-type": "text/plain" }, served.ownToken))).toBe(415);
    const huge = { ...initialize, padding: "x".repeat(1024 * 1024) };
    expect(await call(post(huge, {}, served.ownToken))).toBe(413);
  });

  test("for an unknown session is 404, which makes the client start again", async () => {
    await using served = await serveTools();
    const headers = { "mcp-session-id": "unknown" };
    for (const method of ["GET", "DELETE"]) {
      const init = { ...post(undefined, headers, served.ownToken), method };
      expect((await served.call("/mcp", init)).status).toBe(404);
    }
    expect((await served.call("/mcp", post(initialize, headers, served.ownToken))).status).toBe(
      404,
    );
  });
});

test("gets a response with every security header, which is never cached", async () => {
  await using served = await serveTools();
  const { headers } = await served.call("/mcp", post(initialize, {}, served.ownToken));
  for (const [name, value] of SECURITY_HEADERS) expect(headers.get(name)).toBe(value);
  expect(headers.get("cache-control")).toBe("no-store");
});

test("closing the server ends clients and their calls", async () => {
  await using served = await serveTools();
  const client = await served.connect();
  client.callTool(ask).catch(() => undefined);
  const { signal } = await firstCall(served);
  const closing = served.server.close();
  await waitFor(() => expect(signal.aborted).toBe(true));
  await closing;
});

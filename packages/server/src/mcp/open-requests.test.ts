import { describe, expect, test } from "vitest";

import { createFakeGateway, type FakeGateway } from "../testing/fake-gateway.ts";
import { serve, type Served } from "../testing/serve.ts";
import { waitFor } from "../testing/wait-for.ts";
import { OpenRequests } from "./open-requests.ts";

interface Scene extends Served<FakeGateway> {
  /** Sends it, and resolves with the status and all of the answer. */
  post(body: unknown, signal?: AbortSignal): Promise<{ status: number; said: string }>;
}

async function openScene(protocolVersion = "2025-06-18"): Promise<Scene> {
  const served = await serve({ gateway: createFakeGateway() });
  const { token } = served.server.openToolAccess("ses_own");
  const headers: Record<string, string> = {
    accept: "application/json, text/event-stream",
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
  };
  const send = (body: unknown, signal?: AbortSignal) =>
    fetch(`${served.url}/mcp`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
  const clientInfo = { name: "raw", version: "1" };
  const params = { protocolVersion, capabilities: {}, clientInfo };
  const opened = await send({ jsonrpc: "2.0", id: 0, method: "initialize", params });
  await opened.text();
  headers["mcp-session-id"] = opened.headers.get("mcp-session-id")!;
  return {
    ...served,
    async post(body, signal) {
      const response = await send(body, signal);
      return { status: response.status, said: await response.text() };
    },
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  };
}

const call = (id: unknown, question: string, more: object = {}) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "ask_user", arguments: { question }, ...more },
});
const REFUSED = { status: 400, said: expect.stringContaining('"code":-32600') as string };

/** Waits for the next call of the tool; finishes it with its own question. */
async function nth({ gateway: { tools } }: Scene, count: number) {
  await waitFor(() => expect(tools.calls).toHaveLength(count));
  const { request, signal, finish } = tools.calls[count - 1]!;
  const { question } = request.args as { question: string };
  return { signal, finish: () => finish({ content: JSON.stringify(question), isError: false }) };
}

describe("[R-15] a request with the id of one that is open in the same MCP session", () => {
  test("is refused, whatever it asks for, and the open one gets its own result", async () => {
    await using scene = await openScene();
    const safe = scene.post(call(1, "SAFE"));
    const open = await nth(scene, 1);
    expect(await scene.post(call(1, "DANGER"))).toMatchObject(REFUSED);
    expect(await scene.post(call(1, "TASK", { task: {} }))).toMatchObject(REFUSED);
    expect(await scene.post({ jsonrpc: "2.0", id: 1, method: "ping" })).toMatchObject(REFUSED);
    expect(scene.gateway.tools.calls).toHaveLength(1);
    open.finish();
    expect((await safe).said).toContain("SAFE");
  });

  test("cancels nothing when its client leaves, and may come after the open one has its result", async () => {
    await using scene = await openScene();
    const safe = scene.post(call("a", "SAFE"));
    const open = await nth(scene, 1);
    const leaving = new AbortController();
    await scene.post(call("a", "DANGER"), leaving.signal);
    leaving.abort();
    expect(open.signal.aborted).toBe(false);
    open.finish();
    expect((await safe).said).toContain("SAFE");
    const again = scene.post(call("a", "NEXT"));
    (await nth(scene, 2)).finish();
    expect((await again).said).toContain("NEXT");
  });

  test("is accepted if the open one was cancelled, or its client has gone", async () => {
    await using scene = await openScene();
    const leaving = new AbortController();
    const gone = scene.post(call(1, "GONE"), leaving.signal).catch(() => "gone");
    const first = await nth(scene, 1);
    leaving.abort();
    expect(await gone).toBe("gone");
    await waitFor(async () => {
      expect((await scene.post({ jsonrpc: "2.0", id: 1, method: "ping" })).status).toBe(200);
    });
    first.finish();
    const waiting = new AbortController();
    void scene.post(call(2, "CANCELLED"), waiting.signal).catch(() => undefined);
    await nth(scene, 2);
    const params = { requestId: 2 };
    await scene.post({ jsonrpc: "2.0", method: "notifications/cancelled", params });
    const next = scene.post(call(2, "NEXT"));
    (await nth(scene, 3)).finish();
    expect((await next).said).toContain("NEXT");
    waiting.abort();
  });

  test("is accepted if one id is a text and the other a number, or in another session", async () => {
    await using scene = await openScene();
    await using other = await openScene();
    const asked = [scene.post(call(1, "number")), scene.post(call("1", "text"))];
    const elsewhere = other.post(call(1, "elsewhere"));
    (await nth(other, 1)).finish();
    await nth(scene, 2);
    for (const { request, finish } of scene.gateway.tools.calls) {
      finish({ content: JSON.stringify(request.args), isError: false });
    }
    expect((await elsewhere).said).toContain("elsewhere");
    const [byNumber, byText] = await Promise.all(asked);
    expect(byNumber?.said).toContain("number");
    expect(byText?.said).toContain("text");
  });

  test("makes a whole batch refused, even if both are in the batch", async () => {
    await using scene = await openScene("2025-03-26");
    expect(await scene.post([call(1, "A"), call(1, "B")])).toMatchObject(REFUSED);
    const batch = scene.post([call(2, "C"), { jsonrpc: "2.0", id: 3, method: "ping" }]);
    const open = await nth(scene, 1);
    expect(await scene.post([call(4, "D"), call(3, "E")])).toMatchObject(REFUSED);
    open.finish();
    expect((await batch).said).toContain("C");
    expect((await scene.post({ jsonrpc: "2.0", id: 3, method: "ping" })).status).toBe(200);
  });
});

test("[R-14] ten thousand answered requests leave no id behind", () => {
  const open = new OpenRequests();
  const take = (id: number) => open.take({ jsonrpc: "2.0", id, method: "ping" });
  let taken = 0;
  for (let count = 0; count < 10_000; count += 1) {
    if (take(count % 2)) taken += 1;
    open.noteSent({ jsonrpc: "2.0", id: count % 2, result: {} });
  }
  expect(taken).toBe(10_000);
  expect([take(0), take(1)]).not.toContain(undefined);
});

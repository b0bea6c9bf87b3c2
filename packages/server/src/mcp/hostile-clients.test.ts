import { request } from "node:http";

import { CREDENTIAL_LIMITS } from "@holdpoint/protocol";
import { expect, test, vi } from "vitest";

import {
  ask,
  luxon,
  type PagedScene,
  serveTools,
  TOKENS,
  VERSION,
} from "../testing/serve-paged.ts";
import { waitFor } from "../testing/wait-for.ts";
import { createMemoryUsedStates } from "./used-states.ts";

const TASKS = { extensions: { "io.modelcontextprotocol/tasks": {} } };

test("calls that ask no one store no used states, however many an agent makes", async () => {
  const add = vi.fn<() => Promise<void>>().mockResolvedValue(undefined);
  await using served = await serveTools({ usedStates: { has: () => false, add } });
  for (let count = 1; count <= 3; count += 1) {
    const called = served.send(ask);
    await waitFor(() => expect(served.tools.calls).toHaveLength(count));
    served.tools.calls[count - 1]!.finish(luxon);
    expect((await called).result).toMatchObject({ content: [{ text: '"luxon"' }] });
  }
  const { state, call } = await served.asked();
  call.finish(luxon);
  await served.send({ ...ask, requestState: state });
  await waitFor(() => expect(add).toHaveBeenCalled());
  expect(add).toHaveBeenCalledExactlyOnceWith(call.request.toolCallId, expect.anything());
});

test("used states are deleted when they expire, without a scan of all for each new one", async () => {
  let nowMs = 0;
  let looks = 0;
  const states = createMemoryUsedStates({
    now: () => {
      looks += 1;
      return nowMs;
    },
  });
  for (let count = 0; count < 1000; count += 1) await states.add(`call_${count}`, 1000 + count);
  expect(looks).toBeLessThan(5000);
  expect(states.has("call_0")).toBe(true);
  nowMs = 1500;
  await states.add("last", 9000);
  expect([states.has("call_500"), states.has("call_501"), states.has("last")]).toEqual([
    false,
    true,
    true,
  ]);
});

/** Follows the gateway's tools as 2026-07-28 has it; resolves with the status and the beginning of the stream. */
async function listen(served: PagedScene, token: string, signal: AbortSignal) {
  const method = "subscriptions/listen";
  const meta = {
    "io.modelcontextprotocol/protocolVersion": VERSION,
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const params = { _meta: meta, notifications: { toolsListChanged: true } };
  const response = await served.call("/mcp", {
    method: "POST",
    token,
    signal,
    body: { jsonrpc: "2.0", id: 1, method, params },
    headers: {
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": VERSION,
      "mcp-method": method,
    },
  });
  const { value } = await response.body!.getReader().read();
  return new TextDecoder().decode(value);
}

test("an agent that follows the tools as often as allowed does not keep others from following them", async () => {
  await using served = await serveTools();
  const leaving = new AbortController();
  const { signal } = leaving;
  const first = await listen(served, TOKENS.ann, signal);
  expect(first).toContain("acknowledged");
  const anns = await Promise.all(
    Array.from({ length: 70 }, () => listen(served, TOKENS.ann, signal)),
  );
  expect(anns.some((said) => said.includes("error"))).toBe(true);
  expect(await listen(served, TOKENS.bob, signal)).toBe(first);
  leaving.abort();
});

test("[R-5] a request begun before its token was revoked, and finished after, calls nothing", async () => {
  await using served = await serveTools();
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: {
      ...ask,
      _meta: {
        "io.modelcontextprotocol/protocolVersion": VERSION,
        "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  });
  const sending = request({
    port: served.port,
    host: "127.0.0.1",
    path: "/mcp",
    method: "POST",
    headers: {
      authorization: `Bearer ${TOKENS.ann}`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      "mcp-protocol-version": VERSION,
      "mcp-method": "tools/call",
      "mcp-name": ask.name,
    },
  });
  const answered = Promise.withResolvers<number | undefined>();
  sending.on("response", (response) => answered.resolve(response.statusCode));
  sending.on("error", answered.reject);
  sending.write(body.slice(0, 10));
  // By this time the owner of the request is known.
  await waitFor(async () => {
    const listed = await served.credentials.list();
    expect(listed.find(({ tokenId }) => tokenId === "tok_ann")?.lastUsedAtMs).toBeGreaterThan(0);
  });
  await served.credentials.revoke("tok_ann");
  sending.end(body.slice(10));
  expect(await answered.promise).toBe(401);
  expect(served.tools.calls).toEqual([]);
});

test("finished tasks that no one reads do not block new ones", async () => {
  await using served = await serveTools();
  const { runningCalls } = CREDENTIAL_LIMITS;
  let firstTask = "";
  for (let count = 0; count <= 2 * runningCalls; count += 1) {
    const started = served.send(ask, { capabilities: TASKS });
    await waitFor(() => expect(served.tools.calls).toHaveLength(count + 1));
    const call = served.tools.calls[count]!;
    call.ask(`int_${count}`);
    const { result } = await started;
    expect(result).toMatchObject({ resultType: "task", status: "working" });
    if (count === 0) firstTask = (result as unknown as { taskId: string }).taskId;
    call.finish(luxon);
  }
  // Memory keeps only a limited number of results; the log has the others.
  const { toolCallId } = served.tools.calls[0]!.request;
  const result = { content: '"of the log"', isError: false };
  served.tools.logged.set(toolCallId, { asked: "int_0", isOver: true, result });
  const got = await served.send(
    { taskId: firstTask },
    { capabilities: TASKS, method: "tasks/get" },
  );
  expect(got.result).toMatchObject({ result: { content: [{ text: '"of the log"' }] } });
});

test("finished calls that no client fetches do not block new ones", async () => {
  await using served = await serveTools();
  let last = "";
  for (let count = 0; count <= CREDENTIAL_LIMITS.runningCalls; count += 1) {
    const { state, call } = await served.asked(`int_${count}`);
    expect(state).toBeTypeOf("string");
    call.finish(luxon);
    last = state;
  }
  const { result } = await served.send({ ...ask, requestState: last });
  expect(result).toMatchObject({ content: [{ text: '"luxon"' }] });
});

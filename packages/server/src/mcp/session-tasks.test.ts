import { CREDENTIAL_LIMITS } from "@holdpoint/protocol";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, test } from "vitest";

import { ask, luxon, named, type PagedScene, serveTools, TOKENS } from "../testing/serve-paged.ts";
import { waitFor } from "../testing/wait-for.ts";

/** The SDK's own client of 2025-11-25. */
async function connect({ url }: Pick<PagedScene, "url">, token: string = TOKENS.ann) {
  const client = new Client({ name: "tester", version: "1.0.0" });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit });
  await client.connect(transport);
  const { tasks } = client.experimental;
  return { client, tasks, transport, [Symbol.asyncDispose]: () => client.close() };
}

type Connected = Awaited<ReturnType<typeof connect>>;

/** Starts a call as a task, and resolves with the task's id and its further messages. */
async function begin({ tasks }: Connected) {
  const stream = tasks.callToolStream(ask, undefined, { task: {} });
  const first = await stream.next();
  const message = first.value as { type: string; task: { taskId: string } };
  expect(message).toMatchObject({ type: "taskCreated", task: { status: "working" } });
  return { taskId: message.task.taskId, stream };
}

const firstCall = (served: PagedScene) =>
  waitFor(() => {
    expect(served.tools.calls).toHaveLength(1);
    return served.tools.calls[0]!;
  });

test("a client of 2025-11-25 may make a call a task, and gets its result from a later session as well", async () => {
  await using served = await serveTools();
  const first = await connect(served);
  const { tools } = await first.client.listTools();
  expect(tools.map(({ name, execution }) => [name, execution?.taskSupport])).toEqual([
    ["ask_user", "optional"],
    ["get_answers", undefined],
  ]);
  const { taskId } = await begin(first);
  const call = await firstCall(served);
  call.ask("int_1");
  await first.client.close();
  expect(call.signal.aborted).toBe(false);

  await using second = await connect(served);
  expect(await second.tasks.getTask(taskId)).toMatchObject({
    status: "working",
    statusMessage: "Waiting for a person",
  });
  const result = second.tasks.getTaskResult(taskId, CallToolResultSchema);
  call.finish(luxon);
  expect(await result).toMatchObject({
    content: [{ text: '"luxon"' }],
    _meta: { "io.modelcontextprotocol/related-task": { taskId } },
  });
  expect(await second.tasks.getTask(taskId)).toMatchObject({ status: "completed" });
  await expect(second.tasks.cancelTask(taskId)).rejects.toMatchObject({ code: -32602 });
  expect(served.tools.calls).toHaveLength(1);
});

test("a task of a failing tool has failed, and its result gives the reason", async () => {
  await using served = await serveTools();
  await using connected = await connect(served);
  const { taskId } = await begin(connected);
  (await firstCall(served)).finish({ content: '{"code":"X"}', isError: true });
  await waitFor(async () =>
    expect(await connected.tasks.getTask(taskId)).toMatchObject({ status: "failed" }),
  );
  expect(await connected.tasks.getTaskResult(taskId, CallToolResultSchema)).toMatchObject({
    isError: true,
    content: [{ text: '{"code":"X"}' }],
  });
});

test("a task continues after a restart of the gateway", async () => {
  let taskId = "";
  let toolCallId = "";
  {
    await using before = await serveTools();
    await using connected = await connect(before);
    ({ taskId } = await begin(connected));
    ({ toolCallId } = (await firstCall(before)).request);
  }
  await using served = await serveTools();
  await using connected = await connect(served);
  const called = named(ask);
  served.tools.logged.set(toolCallId, { asked: "int_1", isOver: false, called });
  const result = connected.tasks.getTaskResult(taskId, CallToolResultSchema);
  const call = await firstCall(served);
  expect(call.request).toMatchObject({ toolCallId, comesAgain: true, ...called });
  call.finish(luxon);
  expect(await result).toMatchObject({ content: [{ text: '"luxon"' }] });
});

test("[R-13] a task is available only to its token, and cancelling it withdraws its requests", async () => {
  await using served = await serveTools();
  await using ann = await connect(served);
  await using bob = await connect(served, TOKENS.bob);
  const { taskId } = await begin(ann);
  const call = await firstCall(served);
  for (const attack of [
    bob.tasks.getTask(taskId),
    bob.tasks.getTaskResult(taskId, CallToolResultSchema),
    bob.tasks.cancelTask(taskId),
    ann.tasks.getTask(`${taskId}x`),
  ]) {
    await expect(attack).rejects.toMatchObject({ code: -32602 });
  }
  expect(call.signal.aborted).toBe(false);
  const result = ann.tasks.getTaskResult(taskId, CallToolResultSchema);
  result.catch(() => undefined);
  expect(await ann.tasks.cancelTask(taskId)).toMatchObject({ status: "cancelled" });
  expect(call.signal.aborted).toBe(true);
  await expect(result).rejects.toMatchObject({ code: -32602 });
});

test("[R-20] a token has at most 64 running tasks, and as many simultaneous waits", async () => {
  await using served = await serveTools();
  await using connected = await connect(served);
  const { taskId } = await begin(connected);
  for (let count = 1; count < CREDENTIAL_LIMITS.runningCalls; count += 1) await begin(connected);
  const more = await connected.tasks.callToolStream(ask, undefined, { task: {} }).next();
  expect(more.value).toMatchObject({ type: "error", error: { code: -32602 } });
  expect(served.tools.calls).toHaveLength(CREDENTIAL_LIMITS.runningCalls);
  const waiting: Promise<Response>[] = [];
  const gone = new AbortController();
  const { sessionId = "" } = connected.transport;
  for (let count = 0; count <= CREDENTIAL_LIMITS.runningCalls; count += 1) {
    const asked = served.call("/mcp", {
      method: "POST",
      token: TOKENS.ann,
      signal: gone.signal,
      headers: { accept: "application/json, text/event-stream", "mcp-session-id": sessionId },
      body: { jsonrpc: "2.0", id: count, method: "tasks/result", params: { taskId } },
    });
    waiting.push(asked);
  }
  // All are referenced: a response without a reference is closed by the garbage collector.
  const responses = await Promise.all(waiting);
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(1);
  gone.abort();
});

test("an agent that the gateway has started is offered no tasks", async () => {
  await using served = await serveTools();
  const access = served.server.openToolAccess("ses_own");
  await using own = await connect(served, access.token);
  expect(own.client.getServerCapabilities()?.tasks).toBeUndefined();
  const { tools } = await own.client.listTools();
  expect(tools.map(({ execution }) => execution)).toEqual([undefined]);
});

import { expect, test } from "vitest";

import {
  ask,
  luxon,
  named,
  type PagedAnswer,
  type PagedScene,
  reasonOf,
  serveTools,
  TOKENS,
} from "../testing/serve-paged.ts";
import { waitFor } from "../testing/wait-for.ts";

const TASKS = { extensions: { "io.modelcontextprotocol/tasks": {} } };

/** A call that waits for a person as a task of Ann's. */
async function openTask(served: PagedScene) {
  const before = served.tools.calls.length;
  const started = served.send(ask, { capabilities: TASKS });
  await waitFor(() => expect(served.tools.calls).toHaveLength(before + 1));
  const call = served.tools.calls[before]!;
  call.ask("int_1");
  const { result } = await started;
  expect(result).toMatchObject({ resultType: "task", status: "working", ttlMs: 604_800_000 });
  return { taskId: (result as unknown as { taskId: string }).taskId, call };
}

function tasks({ send }: PagedScene, taskId: string, more: Parameters<PagedScene["send"]>[1] = {}) {
  const request = (method: string): Promise<PagedAnswer> =>
    send({ taskId }, { capabilities: TASKS, method, ...more });
  return {
    get: () => request("tasks/get"),
    cancel: () => request("tasks/cancel"),
    update: () => request("tasks/update"),
  };
}

const done = { status: "completed", result: { content: [{ text: '"luxon"' }] } };

test("a client that supports tasks gets one, and its result as often as it asks for it", async () => {
  await using served = await serveTools();
  const { taskId, call } = await openTask(served);
  const task = tasks(served, taskId);
  expect((await task.get()).result).toMatchObject({ taskId, status: "working" });
  call.finish(luxon);
  await waitFor(async () => expect((await task.get()).result).toMatchObject(done));
  expect((await task.get()).result).toMatchObject(done);
  expect(served.tools.calls).toHaveLength(1);
});

test("a call that asks no one has its result at once", async () => {
  await using served = await serveTools();
  const started = served.send(ask, { capabilities: TASKS });
  await waitFor(() => expect(served.tools.calls).toHaveLength(1));
  served.tools.calls[0]!.finish(luxon);
  expect((await started).result).toMatchObject({ content: [{ text: '"luxon"' }] });
});

test("a client that also shows pages gets the card's page, and its response to that is no answer", async () => {
  await using served = await serveTools();
  const { taskId, call } = await openTask(served);
  const task = tasks(served, taskId, { capabilities: { ...TASKS, elicitation: { url: {} } } });
  expect((await task.get()).result).toMatchObject({
    status: "input_required",
    inputRequests: { int_1: { params: { mode: "url", url: "https://desk.example/i/int_1" } } },
  });
  expect(await task.update()).toHaveProperty("result");
  expect((await task.get()).result).toMatchObject({ status: "input_required" });
  expect(call.signal.aborted).toBe(false);
});

test("cancelling a task withdraws its requests, and nothing else", async () => {
  await using served = await serveTools();
  const first = await openTask(served);
  const second = await openTask(served);
  const task = tasks(served, first.taskId);
  await task.cancel();
  expect(first.call.signal.aborted).toBe(true);
  expect(second.call.signal.aborted).toBe(false);
  expect((await task.get()).result).toMatchObject({ status: "cancelled" });
  second.call.finish(luxon);
  const other = tasks(served, second.taskId);
  await waitFor(async () => expect((await other.get()).result).toMatchObject(done));
  await other.cancel();
  expect((await other.get()).result).toMatchObject(done);
});

test("a task continues after a restart, and its result is there after another one", async () => {
  let taskId = "";
  let toolCallId = "";
  {
    await using before = await serveTools();
    const opened = await openTask(before);
    taskId = opened.taskId;
    toolCallId = opened.call.request.toolCallId;
  }
  await using served = await serveTools();
  const task = tasks(served, taskId);
  const called = named(ask);
  served.tools.logged.set(toolCallId, { asked: "int_1", isOver: false, called });
  expect((await task.get()).result).toMatchObject({ status: "working" });
  expect(served.tools.calls[0]!.request).toMatchObject({ toolCallId, comesAgain: true, ...called });
  served.tools.calls[0]!.finish(luxon);
  await waitFor(async () => expect((await task.get()).result).toMatchObject(done));
  await using last = await serveTools();
  last.tools.logged.set(toolCallId, { asked: "int_1", isOver: true, called, result: luxon });
  expect((await tasks(last, taskId).get()).result).toMatchObject(done);
  expect(last.tools.calls).toEqual([]);
});

test("[R-5] a task cancelled while it is looked up after a restart runs nothing", async () => {
  let taskId = "";
  let toolCallId = "";
  {
    await using before = await serveTools();
    const opened = await openTask(before);
    taskId = opened.taskId;
    toolCallId = opened.call.request.toolCallId;
  }
  await using served = await serveTools();
  const task = tasks(served, taskId);
  const found = { asked: "int_1", isOver: false, called: named(ask) };
  const looks: PromiseWithResolvers<typeof found>[] = [];
  served.tools.find = (_sessionId, id) => {
    expect(id).toBe(toolCallId);
    const look = Promise.withResolvers<typeof found>();
    looks.push(look);
    return look.promise;
  };
  const cancelled = task.cancel();
  await waitFor(() => expect(looks).toHaveLength(1));
  const seen = task.get();
  await waitFor(() => expect(looks).toHaveLength(2));
  looks[0]?.resolve(found);
  await cancelled;
  looks[1]?.resolve(found);
  expect((await seen).result).toMatchObject({ status: "cancelled" });
  expect(served.tools.calls.filter(({ signal }) => !signal.aborted)).toEqual([]);
  expect((await task.get()).result).toMatchObject({ status: "cancelled" });
});

test("another token's task, a changed one, and a requestState are unknown", async () => {
  await using served = await serveTools();
  const { taskId, call } = await openTask(served);
  const { state } = await served.asked("int_2");
  const theirs = tasks(served, taskId, { token: TOKENS.bob });
  const changed = tasks(served, `x${taskId}`);
  for (const task of [theirs, changed, tasks(served, state)]) {
    for (const answer of [await task.get(), await task.cancel(), await task.update()]) {
      expect(reasonOf(answer)).toBe("unknown_task");
    }
  }
  expect(reasonOf(await served.send({ ...ask, requestState: taskId }))).toBe(
    "invalid_request_state",
  );
  expect(call.signal.aborted).toBe(false);
});

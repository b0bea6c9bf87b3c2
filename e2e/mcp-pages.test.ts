import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Interaction } from "@holdpoint/protocol";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Client as V1Client } from "@modelcontextprotocol/sdk/client/index.js";
import { CallToolResultSchema, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, test } from "vitest";

import { Api, pending, until } from "./support/api.ts";
import { connectMcp } from "./support/connect-mcp.ts";
import { startGateway } from "./support/gateway-process.ts";
import { inspectAsk } from "./support/inspect-mcp.ts";

const VERSION = "2026-07-28";
const LIMIT_MS = 90_000;

interface Issued {
  readonly token: string;
  readonly sessionId: string;
}

async function issue(api: Api, label: string): Promise<Issued> {
  return (await api.call<Issued>("POST", "/auth/agent-tokens", { label })).body;
}

const askAbout = (question: string) => ({ name: "ask_user", arguments: { question } });

/** A client of the SDK of 2026-07-28 that shows pages, and keeps the state it has to return with. */
async function connectPaged(url: string, { token }: Issued) {
  const client = new Client(
    { name: "end-to-end", version: "1.0.0" },
    {
      capabilities: { elicitation: { url: {} } },
      versionNegotiation: { mode: { pin: VERSION } },
      inputRequired: { autoFulfill: false },
    },
  );
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  return {
    call: (params: object): Promise<Record<string, unknown>> =>
      client.callTool(params as Parameters<Client["callTool"]>[0], {
        allowInputRequired: true,
        timeout: LIMIT_MS,
      }),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** Sends one request of a 2026-07-28 client that supports tasks; resolves with its result. */
async function sendAsTask(
  url: string,
  { token }: Issued,
  {
    method,
    name,
    params,
  }: { readonly method: string; readonly name: string; readonly params: object },
): Promise<Record<string, unknown>> {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": VERSION,
    "io.modelcontextprotocol/clientInfo": { name: "end-to-end", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": {
      extensions: { "io.modelcontextprotocol/tasks": {} },
    },
  };
  const response = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": VERSION,
      "mcp-method": method,
      "mcp-name": name,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } }),
  });
  return ((await response.json()) as { result: Record<string, unknown> }).result;
}

/** Makes a call as a task with the SDK of 2025-11-25; resolves with its id. */
async function beginTask(client: V1Client, params: ReturnType<typeof askAbout>): Promise<string> {
  const stream = client.experimental.tasks.callToolStream(params, undefined, { task: {} });
  const { value } = await stream.next();
  if (value?.type !== "taskCreated") throw new Error("The call was no task.");
  return value.task.taskId;
}

/** A client of the SDK of 2025-11-25 that shows pages while it waits. */
async function connectShowing(url: string, { token }: Issued) {
  const connected = await connectMcp(url, token, { elicitation: { url: {} } });
  const pages: string[] = [];
  connected.client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    if (params.mode === "url") pages.push(params.url);
    return { action: "accept" };
  });
  return { ...connected, pages };
}

async function answer(api: Api, { interactionId }: Interaction, reply: string): Promise<void> {
  const answered = await api.respond(interactionId, {
    action: "submit",
    values: { answer: reply },
  });
  expect(answered.status).toBe(200);
}

test("clients that show a page and clients that wait finish their calls across a gateway that is killed, each once", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "holdpoint-mcp-pages-"));
  const paged = askAbout("Which day, on a page?");
  const early = askAbout("Which hour, before the kill?");
  const waited = askAbout("Which week, for one that waits?");
  const inspected = "question=Which month, for the Inspector?";
  const shown = askAbout("Which year, for one that waits and shows a page?");
  const tasked = askAbout("Which decade, as a task?");
  const taskedBefore = askAbout("Which century, as a task of 2025-11-25?");
  const states: unknown[] = [];
  let task: Record<string, unknown> = {};
  let earlierTask = "";
  let agents: readonly Issued[] = [];
  let asked: readonly Interaction[] = [];
  {
    await using gateway = await startGateway({ dataDir });
    const api = new Api(gateway.url);
    const labels = ["A page", "Another page", "A wait", "Inspector", "A page and a wait", "A task"];
    labels.push("A task of 2025-11-25");
    agents = await Promise.all(labels.map((label) => issue(api, label)));
    for (const [index, params] of [paged, early].entries()) {
      await using client = await connectPaged(gateway.url, agents[index]!);
      const result = await client.call(params);
      expect(result).toMatchObject({ resultType: "input_required" });
      const [open] = await api.interactions(agents[index]!.sessionId, "pending");
      expect(result["inputRequests"]).toMatchObject({
        page: { params: { mode: "url", url: `${gateway.url}/i/${open!.interactionId}` } },
      });
      states.push(result["requestState"]);
    }
    await using waiting = await connectMcp(`${gateway.url}/mcp`, agents[2]!.token);
    waiting.client.callTool(waited).catch(() => undefined);
    await using showing = await connectShowing(`${gateway.url}/mcp`, agents[4]!);
    showing.client.callTool(shown).catch(() => undefined);
    const issued = { ...agents[3]!, url: `${gateway.url}/mcp` };
    inspectAsk(issued, inspected).catch(() => undefined);
    const called = { method: "tools/call", name: "ask_user", params: tasked };
    task = await sendAsTask(gateway.url, agents[5]!, called);
    expect(task).toMatchObject({ resultType: "task", status: "working" });
    await using tasking = await connectMcp(`${gateway.url}/mcp`, agents[6]!.token);
    earlierTask = await beginTask(tasking.client, taskedBefore);
    asked = await Promise.all(agents.map(({ sessionId }) => pending(api, sessionId)));
    await until(async () => showing.pages.length > 0, "the page");
    expect(showing.pages).toEqual([`${gateway.url}/i/${asked[4]!.interactionId}`]);
    await answer(api, asked[1]!, "at nine");
    gateway.process.kill("SIGKILL");
  }

  await using gateway = await startGateway({ dataDir });
  const api = new Api(gateway.url);
  await using first = await connectPaged(gateway.url, agents[0]!);
  await using second = await connectPaged(gateway.url, agents[1]!);
  await using third = await connectMcp(`${gateway.url}/mcp`, agents[2]!.token);

  const taskId = String(task["taskId"]);
  const readTask = () =>
    sendAsTask(gateway.url, agents[5]!, { method: "tasks/get", name: taskId, params: { taskId } });
  expect(await readTask()).toMatchObject({ status: "working" });
  await answer(api, asked[5]!, "the last");
  await until(async () => (await readTask())["status"] === "completed", "the end of the task");
  expect(await readTask()).toMatchObject({
    result: { structuredContent: { answer: "the last" } },
  });

  await using seventh = await connectMcp(`${gateway.url}/mcp`, agents[6]!.token);
  const { tasks } = seventh.client.experimental;
  expect(await tasks.getTask(earlierTask)).toMatchObject({ status: "working" });
  const earlierResult = tasks.getTaskResult(earlierTask, CallToolResultSchema);
  await answer(api, asked[6]!, "the first");
  expect(await earlierResult).toMatchObject({ structuredContent: { answer: "the first" } });

  const foreign = second.call({ ...paged, requestState: states[0] });
  await expect(foreign).rejects.toMatchObject({ code: -32602 });
  const back = first.call({ ...paged, requestState: states[0] });
  const again = third.client.callTool(waited);
  await using fifth = await connectShowing(`${gateway.url}/mcp`, agents[4]!);
  const shownAgain = fifth.client.callTool(shown);
  const inspectedAgain = inspectAsk({ ...agents[3]!, url: `${gateway.url}/mcp` }, inspected);
  await answer(api, asked[3]!, "May");
  await until(async () => fifth.pages.length > 0, "the page again");
  expect(fifth.pages).toEqual([`${gateway.url}/i/${asked[4]!.interactionId}`]);
  await answer(api, asked[4]!, "this one");
  await answer(api, asked[0]!, "Friday");
  await answer(api, asked[2]!, "the second");
  expect(await back).toMatchObject({ structuredContent: { answer: "Friday" } });
  expect(await shownAgain).toMatchObject({ structuredContent: { answer: "this one" } });
  expect(await inspectedAgain).toMatchObject({ structuredContent: { answer: "May" } });
  expect(await again).toMatchObject({ structuredContent: { answer: "the second" } });
  expect(await second.call({ ...early, requestState: states[1] })).toMatchObject({
    structuredContent: { answer: "at nine" },
  });
  await expect(first.call({ ...paged, requestState: states[0] })).rejects.toMatchObject({
    code: -32602,
    data: { reason: "used_request_state" },
  });
  for (const { sessionId } of agents) {
    const events = await api.events(sessionId);
    const of = (type: string) => events.filter((event) => event.type === type);
    expect(of("interaction_request")).toHaveLength(1);
    expect(of("interaction_response")).toHaveLength(1);
  }
  await rm(dataDir, { recursive: true });
});

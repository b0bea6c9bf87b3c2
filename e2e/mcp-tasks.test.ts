import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import {
  createTaskSessionFromClient,
  type SerializedTaskReference,
} from "@modelcontextprotocol/ext-tasks/client";
import { expect, onTestFinished, test } from "vitest";

import { Api, pending } from "./support/api.ts";
import { startGateway } from "./support/gateway-process.ts";

const VERSION = "2026-07-28";
const INFO = { name: "end-to-end", version: "1.0.0" };
const EXTENSION = { extensions: { "io.modelcontextprotocol/tasks": {} } };
const ask = (question: string) => ["ask_user", { question }] as const;

interface Issued {
  readonly token: string;
  readonly sessionId: string;
}

/** The official client of tasks. Its host sends the messages that the SDK's client cannot send. */
async function openTasks(url: string, token: string) {
  const headers = { authorization: `Bearer ${token}` };
  const client = new Client(INFO, {
    capabilities: EXTENSION,
    versionNegotiation: { mode: { pin: VERSION } },
  });
  const place = new URL(`${url}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(place, { requestInit: { headers } }));
  const session = createTaskSessionFromClient(client, {
    endpointId: "the gateway",
    v2RequestFraming: {
      protocolVersion: VERSION,
      clientInfo: INFO,
      clientCapabilities: EXTENSION,
    },
    async rawDispatch(request, { signal } = {}) {
      const { method, params } = request as { method: string; params: Record<string, string> };
      const response = await fetch(place, {
        method: "POST",
        headers: {
          ...headers,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": VERSION,
          "mcp-method": method,
          "mcp-name": params["name"] ?? params["taskId"] ?? "",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...(request as object) }),
        ...(signal && { signal }),
      });
      const { result, error } = (await response.json()) as never;
      return error ? { kind: "error", error } : { kind: "result", result };
    },
  });
  return {
    session,
    async [Symbol.asyncDispose]() {
      await session.close();
      await client.close();
    },
  };
}

test("the official client of tasks finishes a call across a gateway that is killed, and cancels another", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "holdpoint-mcp-tasks-"));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  let issued: Issued;
  let reference: SerializedTaskReference;
  {
    await using gateway = await startGateway({ dataDir });
    const api = new Api(gateway.url);
    issued = (await api.call<Issued>("POST", "/auth/agent-tokens", { label: "Tasks" })).body;
    const { session } = await openTasks(gateway.url, issued.token);
    const execution = await session.callTool(...ask("Which decade?"));
    if (execution.kind !== "task") throw new Error("The call was no task.");
    reference = execution.serializeReference();
    await pending(api, issued.sessionId);
    gateway.process.kill("SIGKILL");
  }

  await using gateway = await startGateway({ dataDir });
  const api = new Api(gateway.url);
  await using tasks = await openTasks(gateway.url, issued.token);
  const resumed = await tasks.session.resumeTask(reference);
  const settled = resumed.settle();
  const asked = await pending(api, issued.sessionId);
  const values = { answer: "the last" };
  expect((await api.respond(asked.interactionId, { action: "submit", values })).status).toBe(200);
  expect((await settled).outcome).toMatchObject({
    status: "completed",
    result: { structuredContent: { answer: "the last" } },
  });
  const events = await api.events(issued.sessionId);
  expect(events.filter(({ type }) => type === "interaction_request")).toHaveLength(1);

  const other = await tasks.session.callTool(...ask("Which century?"));
  const open = await pending(api, issued.sessionId);
  await other.cancel();
  expect((await other.settle()).outcome).toMatchObject({ status: "cancelled" });
  expect((await api.interaction(open.interactionId)).status).toBe("withdrawn");
});

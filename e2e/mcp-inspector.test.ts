import { afterAll, beforeAll, expect, test } from "vitest";

import { Api, pending } from "./support/api.ts";
import { type GatewayProcess, startGateway } from "./support/gateway-process.ts";
import { inspect, inspectAsk } from "./support/inspect-mcp.ts";

let gateway: GatewayProcess;
let api: Api;
beforeAll(async () => {
  gateway = await startGateway();
  api = new Api(gateway.url);
});
afterAll(() => gateway[Symbol.asyncDispose]());

interface Issued {
  readonly token: string;
  readonly sessionId: string;
  readonly url: string;
}

async function issue(): Promise<Issued> {
  return (await api.call<Issued>("POST", "/auth/agent-tokens", { label: "Inspector" })).body;
}

test("the MCP Inspector lists the tools with their inputs", async () => {
  const listed = await inspect(await issue(), "--method", "tools/list");
  expect(listed).toMatchObject({
    tools: [
      {
        name: "ask_user",
        annotations: { readOnlyHint: true },
        inputSchema: { type: "object", required: ["question"] },
      },
      { name: "get_answers" },
    ],
  });
});

test("the MCP Inspector calls ask_user and prints the person's answer", async () => {
  const issued = await issue();
  const question = "Which day suits you?";
  const called = inspectAsk(issued, `question=${question}`, 'choices=["Monday","Friday"]');
  const asked = await pending(api, issued.sessionId);
  expect(asked).toMatchObject({
    prompt: question,
    form: { schema: { properties: { answer: { enum: ["Monday", "Friday"] } } } },
  });
  const values = { answer: "Friday" };
  expect((await api.respond(asked.interactionId, { action: "submit", values })).status).toBe(200);
  expect(await called).toMatchObject({
    content: [{ type: "text", text: '{"status":"answered","answer":"Friday"}' }],
    structuredContent: { status: "answered", answer: "Friday" },
  });
  expect(await api.interaction(asked.interactionId)).toMatchObject({
    status: "delivered",
    how: "resumed",
  });
});

test("[R-13] the MCP Inspector gets nothing with an unknown token", async () => {
  const refused = inspect({ ...(await issue()), token: "unknown" }, "--method", "tools/list");
  await expect(refused).rejects.toThrow("UNAUTHENTICATED");
});

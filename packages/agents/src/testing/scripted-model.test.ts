import { expect, test } from "vitest";

import { callTool, fail, say } from "./scripted-model-reply.ts";
import { inOrder, openScriptedModel } from "./scripted-model.ts";

const tools = [{ name: "Bash" }];

function post(baseUrl: string, body: Record<string, unknown>): Promise<Response> {
  return fetch(`${baseUrl}/v1/messages?beta=true`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": "k" },
    body: JSON.stringify({ model: "m", stream: true, tools, ...body }),
  });
}

test("a reply is streamed block by block and ends with its stop reason", async () => {
  await using model = await openScriptedModel(
    inOrder([[say("Hello, wide world"), callTool("Bash", { command: "ls" }, "toolu_1")]]),
  );
  const response = await post(model.baseUrl, { messages: [{ role: "user", content: "go" }] });
  const text = await response.text();
  expect(text).toContain('"text":"Hello, wide "');
  expect(text).toContain('"id":"toolu_1"');
  expect(text).toContain('"stop_reason":"tool_use"');
  expect(model.requests[0]?.lastPrompt).toBe("go");
});

test("requests without tools never reach the script", async () => {
  await using model = await openScriptedModel(inOrder([]));
  const response = await post(model.baseUrl, { tools: [], messages: [] });
  expect(response.status).toBe(200);
  expect(model.requests).toEqual([]);
});

test("a failure has its status, and the end of the script is a 500 that is recorded", async () => {
  await using model = await openScriptedModel(inOrder([fail(529, "overloaded_error")]));
  const first = await post(model.baseUrl, { messages: [] });
  expect([first.status, await first.json()]).toEqual([
    529,
    {
      type: "error",
      error: { type: "overloaded_error", message: "scripted overloaded_error" },
    },
  ]);
  const second = await post(model.baseUrl, { messages: [] });
  expect(second.status).toBe(500);
  expect(model.failures).toHaveLength(1);
});

test("tool results are read from text and from blocks", async () => {
  await using model = await openScriptedModel(() => [say("ok")]);
  await post(model.baseUrl, {
    messages: [
      { role: "user", content: "go" },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "a", content: "plain" },
          {
            type: "tool_result",
            tool_use_id: "b",
            is_error: true,
            content: [{ type: "text", text: "block" }],
          },
        ],
      },
    ],
  });
  expect(model.requests[0]?.results).toEqual([
    { toolCallId: "a", text: "plain", isError: false },
    { toolCallId: "b", text: "block", isError: true },
  ]);
});

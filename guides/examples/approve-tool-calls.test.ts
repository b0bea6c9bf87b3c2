import { generateText, type ModelMessage, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { expect, test } from "vitest";
import { z } from "zod";

import { approveToolCalls } from "./approve-tool-calls.ts";
import { serveAsks } from "./serve-asks.ts";

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** A model of the AI SDK that calls three tools in one step, and then reports that it is done. */
function createModel(): MockLanguageModelV4 {
  const call = (toolCallId: string, toolName: string, input: object) => ({
    type: "tool-call" as const,
    toolCallId,
    toolName,
    input: JSON.stringify(input),
  });
  const calls = [
    call("c1", "pay", { cents: 4200 }),
    call("c2", "mail", { to: "ada@example.com" }),
    call("c3", "erase", { all: true }),
  ];
  return new MockLanguageModelV4({
    doGenerate: [
      {
        content: calls,
        finishReason: { unified: "tool-calls", raw: undefined },
        usage,
        warnings: [],
      },
      {
        content: [{ type: "text", text: "Done." }],
        finishReason: { unified: "stop", raw: undefined },
        usage,
        warnings: [],
      },
    ],
  });
}

test("[R-5] tool calls of the AI SDK run only after a yes, with the input that was shown", async () => {
  await using served = await serveAsks();
  const ran: unknown[] = [];
  const run = (name: string) => (input: unknown) => {
    ran.push([name, input]);
    return "ok";
  };
  const tools = {
    pay: tool({ inputSchema: z.object({ cents: z.int() }), execute: run("pay") }),
    mail: tool({ inputSchema: z.object({ to: z.string() }), execute: run("mail") }),
    erase: tool({ inputSchema: z.object({ all: z.boolean() }), execute: run("erase") }),
  };
  const toolApproval = { pay: "user-approval", mail: "user-approval", erase: "denied" } as const;
  const model = createModel();
  const messages: ModelMessage[] = [{ role: "user", content: "Pay, and tell Ada." }];

  const first = await generateText({ model, tools, toolApproval, messages });
  expect(ran).toEqual([]);
  const approving = approveToolCalls(served.transport, first.content);
  expect((await served.asked("Use pay?")).approval?.input).toEqual({ cents: 4200 });
  await served.answer("Use mail?", { action: "deny", reason: "Not her." });
  await served.answer("Use pay?", { action: "approve" });
  messages.push(...first.responseMessages, await approving);
  // No one was asked about the call that the program denied itself.
  expect(await served.count()).toBe(2);

  const second = await generateText({ model, tools, toolApproval, messages });
  expect(second.text).toBe("Done.");
  expect(ran).toEqual([["pay", { cents: 4200 }]]);
  const told = JSON.stringify(model.doGenerateCalls[1]?.prompt);
  expect(told).toContain("Not her.");
});

import { SimulatedClock } from "@holdpoint/engine/testing";
import { expect, test } from "vitest";

import { createFakeTools } from "../testing/fake-tools.ts";
import { AgentTools } from "./agent-tools.ts";
import { AskedStates } from "./asked-states.ts";
import type { McpOptions } from "./mcp-options.ts";
import { type PagedCaller, PagedCalls } from "./paged-calls.ts";
import { createMemoryUsedStates } from "./used-states.ts";

const params = { name: "ask_user", arguments: { question: "Which?" } };

/** A call whose client is sent to the card's page. */
async function openScene(clientName: string) {
  const clock = new SimulatedClock();
  const tools = createFakeTools();
  const options = {
    clock,
    tools,
    states: new AskedStates(clock),
    usedStates: createMemoryUsedStates(clock),
    toCardUrl: (id: string) => `https://desk.example/i/${id}`,
    takeMessage: async () => undefined,
  } as unknown as McpOptions;
  const calls = new PagedCalls(options);
  const gone = new AbortController();
  const caller: PagedCaller = {
    tokenId: "tok_1",
    sessionId: "ses_1",
    tools: new AgentTools({ ...options, sessionId: "ses_1", isOwnAgent: false }),
    gone: gone.signal,
    afterSent: () => undefined,
  };
  const calling = {
    signal: new AbortController().signal,
    clientName,
    graceMs: () => 0,
    traceparent: undefined,
    sendProgress: async () => undefined,
  };
  const started = calls.start(params, caller, calling);
  await clock.settle();
  tools.calls[0]?.ask("int_1");
  const answer = await started;
  return { answer, gone, clock, call: tools.calls[0]! };
}

test("[R-18] a client that disconnects before it has its state cannot come back, and its request is withdrawn", async () => {
  const { answer, gone, call } = await openScene("raw");
  expect(answer).toHaveProperty("requestState");
  expect(call.signal.aborted).toBe(false);
  gone.abort();
  expect(call.signal.aborted).toBe(true);
});

test("a request of a client that has its state stays open without it", async () => {
  const { clock, call } = await openScene("raw");
  await clock.advance(24 * 60 * 60_000);
  expect(call.signal.aborted).toBe(false);
});

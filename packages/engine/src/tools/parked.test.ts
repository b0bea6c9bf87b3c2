import { expect, test } from "vitest";

import { ada, openFixture, type GatewayFixture } from "../testing/gateway-fixture.ts";
import { createScriptedAdapter, type TurnScript } from "../testing/scripted-adapter.ts";
import { defineTool } from "./define-tool.ts";
import type { ToolCallResult } from "./tool-result.ts";

/** Asks for a name until it is long enough. */
function createTool(cancelled: string[]) {
  return defineTool({
    name: "name_it",
    description: "Asks for a name.",
    handler: (_args: Record<string, unknown>, context) =>
      context.requestInteraction({
        kind: "form",
        inputSchema: { type: "object", properties: { name: { type: "string" } } },
        onResponse: ({ values = {} }) =>
          String(values["name"]).length > 2
            ? { complete: { name: values["name"] } }
            : { reprompt: { error: "Longer." } },
        onCancel: () => void cancelled.push("cancelled"),
      }),
  });
}

test("[R-4] a tool's wait is parked with its agent, and its handler is replayed from the answers", async () => {
  const results: ToolCallResult[] = [];
  const cancelled: string[] = [];
  let fixture: GatewayFixture | undefined;
  // As with a real agent, its call ends with its process, and is repeated with the same id.
  let connection = new AbortController();
  const script: TurnScript = async (_message, context) => {
    const call = { sessionId: sessionIdOf(), toolCallId: "t1", name: "name_it", args: {} };
    const { result } = fixture!.gateway.tools.call(call, { signal: connection.signal });
    const got = await Promise.race([result, untilAborted(context.signal)]);
    if (got) results.push(got);
    return { reason: "done" };
  };
  const adapter = createScriptedAdapter(script, { canPark: true });
  const parkable = adapter.openSession.bind(adapter);
  adapter.openSession = async (options) => {
    const session = await parkable(options);
    const park = session.park!.bind(session);
    return Object.assign(session, {
      canResume: async (toolCallId: string) => toolCallId === "t1",
      // Its connection breaks before its turn has ended.
      park: async () => {
        connection.abort();
        connection = new AbortController();
        await park();
      },
    });
  };
  const sessionIdOf = (): string => adapter.opened[0]!.options.sessionId;
  await using opened = await openFixture(script, {
    availabilityGraceMs: 0,
    adapter,
    tools: [createTool(cancelled)],
    holdTimeoutMs: Infinity,
  });
  fixture = opened;
  const sessionId = await fixture.createSession();
  await fixture.send(sessionId, "go");
  for (const name of ["A", "Ada"]) {
    await fixture.clock.advance(1000);
    const [parked] = await fixture.interactions("pending");
    expect(parked).toMatchObject({ hold: "parked", askedBy: "tool" });
    // The agent has not made a request: its transcript has only the call.
    adapter.transcripts.get(sessionId)!.waiting.add("t1");
    const body = { action: "submit", values: { name } } as const;
    await fixture.gateway.respond(ada, parked!.interactionId, body);
    await fixture.clock.settle();
  }
  expect(results).toMatchObject([{ isError: false, structured: { name: "Ada" } }]);
  expect(await fixture.interactions("delivered")).toMatchObject([
    { attempt: 1, how: "resumed" },
    { attempt: 2, how: "resumed" },
  ]);
  expect(await fixture.interactions("withdrawn", "pending")).toEqual([]);
  expect(cancelled).toEqual([]);
  expect(fixture.errors).toEqual([]);
});

function untilAborted(signal: AbortSignal): Promise<undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  signal.addEventListener("abort", () => resolve(undefined), { once: true });
  return promise;
}

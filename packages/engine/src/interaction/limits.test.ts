import { expect, test } from "vitest";

import type { HoldResult } from "../ports/agent-adapter.ts";
import { approval, never } from "../testing/gateway-fixture.ts";
import { openScene } from "../testing/tool-scene.ts";
import { defineTool } from "../tools/define-tool.ts";

/** Asks, and leaves the question open at its deadline. */
const leaver = defineTool({
  name: "leaver",
  description: "Asks and ends as queued.",
  handler: (_args: Record<string, unknown>, context) =>
    context.requestInteraction({
      kind: "approval",
      timeoutMs: 1000,
      onTimeout: () => ({ pending: { message: "Later." } }),
    }),
});

async function openWithQueued(pendingPerSession: number) {
  const results: HoldResult[] = [];
  const scene = await openScene({
    limits: { pendingPerSession },
    tools: [leaver],
    script: async (_message, context) => {
      results.push(await context.hold(approval("t1"), { signal: never }));
      return { reason: "done" };
    },
  });
  const { result } = scene.call({ name: "leaver" });
  await scene.clock.advance(1000);
  expect((await result).structured).toMatchObject({ status: "queued" });
  await scene.clock.settle();
  return { scene, results };
}

test("[R-20] a tool's queued request counts for an agent's request, too", async () => {
  const { scene, results } = await openWithQueued(1);
  await using _ = scene;
  await scene.send(scene.sessionId, "go");
  expect(results).toMatchObject([{ outcome: "withdrawn", code: "TOO_MANY_PENDING" }]);
  expect(await scene.interactions("pending")).toHaveLength(1);
});

test("[R-20] a tool's request has the same size limit", async () => {
  const asker = defineTool({
    name: "asker",
    description: "Asks much.",
    handler: (_args: Record<string, unknown>, context) =>
      context.requestInteraction({ kind: "approval", prompt: "x".repeat(2000) }),
  });
  await using scene = await openScene({ limits: { requestBytes: 1000 }, tools: [asker] });
  const { result } = scene.call({ name: "asker" });
  await scene.clock.settle();
  expect(await scene.interactions("pending")).toEqual([]);
  expect((await result).structured).toMatchObject({
    code: "INTERACTION_REFUSED",
    message: expect.stringContaining("too large") as string,
  });
});

test("[R-20] queued requests leave room up to the limit", async () => {
  const { scene, results } = await openWithQueued(2);
  await using _ = scene;
  await scene.send(scene.sessionId, "go");
  expect(results).toEqual([]);
  expect(await scene.interactions("pending")).toHaveLength(2);
});

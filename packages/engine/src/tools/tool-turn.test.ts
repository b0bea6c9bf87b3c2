import { describe, expect, test, vi } from "vitest";

import { StoreError } from "../lib/gateway-error.ts";
import { createMemoryStore } from "../memory-store/memory-store.ts";
import { ada } from "../testing/gateway-fixture.ts";
import { openScene } from "../testing/tool-scene.ts";
import { wrapStore, type StoreFaults } from "../testing/wrapped-store.ts";
import { defineTool } from "./define-tool.ts";

function toolOf(handler: () => unknown) {
  return defineTool({ name: "probe", description: "Does what the test says.", handler });
}

describe("a call whose turn is being written", () => {
  test("[R-5] never runs if the turn was stopped in the meantime", async () => {
    const disk = Promise.withResolvers<void>();
    const faults: StoreFaults = {
      beforeAppend: ({ events }) => (events?.[0]?.type === "tool_call" ? disk.promise : undefined),
    };
    const handler = vi.fn<() => unknown>(() => "done");
    const store = wrapStore(createMemoryStore(), faults);
    await using scene = await openScene({ tools: [toolOf(handler)], store });
    const { result } = scene.call({ name: "probe" });
    await scene.clock.settle();
    await scene.gateway.stopTurn(ada, scene.sessionId);
    disk.resolve();
    expect((await result).structured).toMatchObject({ code: "INTERACTION_CANCELLED" });
    expect(handler).not.toHaveBeenCalled();
  });

  test("is refused with the store's own failure if the turn cannot be written", async () => {
    const faults: StoreFaults = {};
    const store = wrapStore(createMemoryStore(), faults);
    await using scene = await openScene({ tools: [toolOf(() => "done")], store });
    faults.beforeAppend = () => {
      throw new StoreError("STORE_FAILED", "The disk is full.");
    };
    await expect(scene.call({ name: "probe" }).result).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
    });
  });
});

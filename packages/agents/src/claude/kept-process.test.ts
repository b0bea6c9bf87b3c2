import { SimulatedClock } from "@holdpoint/engine/testing";
import { describe, expect, test } from "vitest";

import type { ClaudeProcess } from "./claude-process.ts";
import { KeptProcess } from "./kept-process.ts";

describe("a change that the process does not take", () => {
  test.each([
    ["fails while the process lives", false],
    ["is no failure while the process is being ended, such as to park it", true],
  ])("%s", async (_, isGone) => {
    const kept = new KeptProcess({ clock: new SimulatedClock(), idleMs: 1000 });
    kept.keep({ isGone } as ClaudeProcess);
    const failed = await kept
      .tell(() => Promise.reject(new Error("No answer.")))
      .then(
        () => false,
        () => true,
      );
    expect(failed).toBe(!isGone);
  });
});

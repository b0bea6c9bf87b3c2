import type { PruneOptions } from "@holdpoint/engine";
import { SimulatedClock } from "@holdpoint/engine/testing";
import { expect, test } from "vitest";

import { pruneDaily, pruneFor } from "./retention.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

function createGateway() {
  const asked: PruneOptions[] = [];
  const prune = async (options: PruneOptions) => {
    asked.push(options);
    return { sessions: [] };
  };
  return { asked, prune };
}

test("[R-13] a request over the socket, which an agent may reach, deletes only as the gateway's settings allow", async () => {
  const gateway = createGateway();
  await expect(
    pruneFor(gateway, { days: 90 }, { command: "prune", dryRun: false, days: 1 }),
  ).rejects.toThrow("Only --dry-run takes other values");
  await expect(pruneFor(gateway, undefined, { command: "prune", dryRun: false })).rejects.toThrow(
    "No retention is configured",
  );
  expect(gateway.asked).toEqual([]);
  await pruneFor(gateway, undefined, { command: "prune", dryRun: true, megabytes: 2 });
  await pruneFor(gateway, { days: 90 }, { command: "prune", dryRun: false });
  expect(gateway.asked).toMatchObject([
    { dryRun: true, largerThanBytes: 2_000_000 },
    { dryRun: false, olderThanDays: 90 },
  ]);
});

test("[R-18] a gateway configured to prune does so once a day, continues after a failure, and stops", async () => {
  const clock = new SimulatedClock();
  const errors: unknown[] = [];
  const counts: number[] = [];
  const results = [new Error("The disk is full."), 3, 0];
  const daily = pruneDaily({
    gateway: {
      prune: async () => {
        const result = results.shift();
        if (result instanceof Error) throw result;
        const session = { sessionId: "ses_1", updatedAt: "", bytes: 1, because: "age" } as const;
        return { sessions: Array.from({ length: result ?? 0 }, () => session) };
      },
    },
    retention: { days: 90 },
    clock,
    onPruned: (count) => counts.push(count),
    onError: (error) => errors.push(error),
  });
  await clock.advance(DAY_MS / 2);
  expect([errors.length, counts]).toEqual([1, []]);
  await clock.advance(2 * DAY_MS);
  expect([errors.length, counts]).toEqual([1, [3]]);
  daily[Symbol.dispose]();
  expect(clock.timerCount).toBe(0);
});

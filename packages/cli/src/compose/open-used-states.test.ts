import { appendFile, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { SimulatedClock } from "@holdpoint/engine/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { openSharedStates, openUsedStates } from "./open-used-states.ts";

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "holdpoint-used-"));
});
afterEach(() => rm(dataDir, { recursive: true }));

test("a used state stays used after a restart, until it would have ended", async () => {
  const clock = new SimulatedClock();
  const states = await openUsedStates(dataDir, clock);
  await Promise.all(["a", "b/c"].map((id) => states.add(id, clock.now() + 1000)));
  await states.add("long", clock.now() + 5000);
  const again = await openUsedStates(dataDir, clock);
  expect(["a", "b/c", "long", "d"].map((id) => again.has(id))).toEqual([true, true, true, false]);
  await clock.advance(2000);
  const later = await openUsedStates(dataDir, clock);
  expect(["a", "b/c", "long"].map((id) => later.has(id))).toEqual([false, false, true]);
});

test("half a line at the end does no harm, and only the owner can read the file", async () => {
  const clock = new SimulatedClock();
  await (await openUsedStates(dataDir, clock)).add("a", clock.now() + 1000);
  const path = join(dataDir, "used-states");
  await appendFile(path, "99999999999999 b");
  const again = await openUsedStates(dataDir, clock);
  await again.add("c", clock.now() + 1000);
  const last = await openUsedStates(dataDir, clock);
  expect(["a", "b", "c"].map((id) => last.has(id))).toEqual([true, false, true]);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test("[R-14] expired states leave the file while the gateway runs, and valid ones stay in it", async () => {
  const clock = new SimulatedClock();
  const states = await openUsedStates(dataDir, clock);
  await states.add("long", clock.now() + 1_000_000);
  for (let round = 0; round < 4; round += 1) {
    const ids = Array.from({ length: 600 }, (_, index) => `${round}/${index}`);
    await Promise.all(ids.map((id) => states.add(id, clock.now() + 1000)));
    await clock.advance(2000);
  }
  const text = await readFile(join(dataDir, "used-states"), "utf8");
  expect(text.split("\n").length).toBeLessThan(1500);
  expect(states.has("long")).toBe(true);
  expect((await openUsedStates(dataDir, clock)).has("long")).toBe(true);
});

test("a state used at one node is used at the next one, and earlier states of a folder count too", async () => {
  const clock = new SimulatedClock();
  const table = new Map<string, number>();
  const rows = {
    list: async () => [...table].map(([id, untilMs]) => ({ id, untilMs })),
    add: async (id: string, { untilMs }: { untilMs: number }) => void table.set(id, untilMs),
  };
  const before = await openUsedStates(dataDir, clock);
  await before.add("before", clock.now() + 1000);
  const first = await openSharedStates(rows, before, clock);
  await first.add("a", clock.now() + 1000);
  const next = await openSharedStates(rows, before, clock);
  expect(["before", "a", "b"].map((id) => next.has(id))).toEqual([true, true, false]);
});

import { SimulatedClock } from "@holdpoint/engine/testing";
import { expect, test } from "vitest";

import { releaseMemory, type ProcessMemory } from "./release-memory.ts";

const MIB = 1024 * 1024;
const LOOK_MS = 5000;
const HOUR_MS = 60 * 60 * 1000;

/** A process of 100 MiB, and the memory it keeps after a collection. */
function createMemory(): ProcessMemory & {
  mib: number;
  busy: number;
  keeps: number;
  runs: number;
} {
  return {
    mib: 100,
    busy: 0,
    keeps: 100,
    runs: 0,
    residentBytes() {
      return this.mib * MIB;
    },
    busyShare() {
      return this.busy;
    },
    collect() {
      this.runs += 1;
      this.mib = Math.min(this.mib, this.keeps);
    },
  };
}

test("[R-20] memory is released once the process is quiet, and only after growth", async () => {
  const clock = new SimulatedClock();
  const memory = createMemory();
  const keeper = releaseMemory(clock, memory);
  memory.mib = 131;
  await clock.advance(LOOK_MS);
  expect(memory.runs).toBe(0);
  Object.assign(memory, { mib: 400, busy: 0.5 });
  await clock.advance(10 * LOOK_MS);
  expect(memory).toMatchObject({ runs: 0, mib: 400 });
  memory.busy = 0.01;
  await clock.advance(LOOK_MS);
  expect(memory).toMatchObject({ runs: 1, mib: 100 });
  keeper[Symbol.dispose]();
});

test("[R-20] memory held during a flood does not count as needed afterwards", async () => {
  const clock = new SimulatedClock();
  const memory = createMemory();
  const keeper = releaseMemory(clock, memory);
  // Its connections are open and idle.
  Object.assign(memory, { mib: 300, keeps: 290 });
  await clock.advance(2 * LOOK_MS);
  expect(memory.mib).toBe(290);
  memory.keeps = 100;
  await clock.advance(4 * LOOK_MS);
  expect(memory.mib).toBe(100);
  keeper[Symbol.dispose]();
});

test("needed memory is not collected again and again", async () => {
  const clock = new SimulatedClock();
  const memory = createMemory();
  const keeper = releaseMemory(clock, memory);
  Object.assign(memory, { mib: 300, keeps: 290 });
  await clock.advance(HOUR_MS);
  expect(memory.mib).toBe(290);
  expect(memory.runs).toBeLessThan(15);
  const { runs } = memory;
  keeper[Symbol.dispose]();
  await clock.advance(HOUR_MS);
  expect(memory.runs).toBe(runs);
});

test("a system that reports no memory, for example without file descriptors, is asked again later", async () => {
  const clock = new SimulatedClock();
  const memory = createMemory();
  let isSilent = true;
  using _ = releaseMemory(clock, {
    ...memory,
    residentBytes: () => (isSilent ? undefined : memory.mib * MIB),
    collect: () => memory.collect(),
  });
  await clock.advance(3 * LOOK_MS);
  isSilent = false;
  await clock.advance(LOOK_MS);
  memory.mib = 400;
  await clock.advance(LOOK_MS);
  expect(memory.runs).toBe(1);
});

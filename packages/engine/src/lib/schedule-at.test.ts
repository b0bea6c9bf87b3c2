import { expect, test } from "vitest";

import { SimulatedClock } from "../testing/simulated-clock.ts";
import { scheduleAt } from "./schedule-at.ts";

const DAY_MS = 24 * 3_600_000;

function open(delayMs: number) {
  const clock = new SimulatedClock();
  const ranAt: number[] = [];
  const startMs = clock.now();
  const timer = scheduleAt(clock, startMs + delayMs, () => ranAt.push(clock.now() - startMs));
  return { clock, ranAt, timer };
}

test("runs once at its instant, and at once for a past one", async () => {
  const { clock, ranAt } = open(25_000);
  await clock.advance(60_000);
  expect(ranAt).toEqual([25_000]);
  const past = open(-DAY_MS);
  await past.clock.advance(0);
  expect(past.ranAt).toEqual([0]);
});

test("an instant that the wall clock jumps over is noticed within ten seconds", async () => {
  const { clock, ranAt } = open(DAY_MS);
  await clock.advance(1);
  clock.jumpWall(2 * DAY_MS);
  await clock.advance(10_000);
  expect(ranAt).toHaveLength(1);
});

test("a wall clock that is set back makes it wait for the instant again", async () => {
  const { clock, ranAt } = open(25_000);
  await clock.advance(20_000);
  clock.jumpWall(-DAY_MS);
  await clock.advance(DAY_MS);
  expect(ranAt).toEqual([]);
  await clock.advance(5000);
  expect(ranAt).toEqual([25_000]);
});

test("[R-18] leaves nothing behind when it is disposed", async () => {
  const { clock, ranAt, timer } = open(25_000);
  await clock.advance(15_000);
  timer[Symbol.dispose]();
  expect(clock.timerCount).toBe(0);
  await clock.advance(DAY_MS);
  expect(ranAt).toEqual([]);
});

import { describe, expect, test } from "vitest";

import { SimulatedClock } from "../testing/simulated-clock.ts";
import { EarliestTimer } from "./earliest-timer.ts";

function openTimer() {
  const clock = new SimulatedClock();
  const startMs = clock.now();
  const ranAt: number[] = [];
  const timer = new EarliestTimer(clock, () => ranAt.push(clock.now() - startMs));
  return { clock, timer, ranAt, at: (ms: number) => startMs + ms };
}

describe("a timer for the earliest instant", () => {
  test("runs once, at the earliest of the considered instants", async () => {
    const { clock, timer, ranAt, at } = openTimer();
    for (const ms of [300, 100, 200]) timer.consider(at(ms));
    await clock.advance(1000);
    expect(ranAt).toEqual([100]);
    expect(timer.isArmed).toBe(false);
  });

  test("can be set to a later instant, and cancelled", async () => {
    const { clock, timer, ranAt, at } = openTimer();
    timer.consider(at(100));
    timer.set(at(200));
    await clock.advance(150);
    expect(ranAt).toEqual([]);
    await clock.advance(50);
    expect(ranAt).toEqual([200]);
    timer.consider(at(300));
    timer.set(Infinity);
    await clock.advance(1000);
    expect(ranAt).toEqual([200]);
  });

  test("runs again when it is armed again, after it ran or was disposed", async () => {
    const { clock, timer, ranAt, at } = openTimer();
    timer.consider(at(100));
    timer[Symbol.dispose]();
    timer.consider(at(400));
    await clock.advance(400);
    timer.consider(at(500));
    await clock.advance(100);
    expect(ranAt).toEqual([400, 500]);
  });
});

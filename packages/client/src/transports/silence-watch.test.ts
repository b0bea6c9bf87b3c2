import { expect, test } from "vitest";

import { createSimulatedClock } from "../testing/simulated-clock.ts";
import { watchSilence } from "./silence-watch.ts";

const HOUR_MS = 3_600_000;
const SILENCE_MS = 45_000;

test("a silent connection is given up in time, even if the wall clock changes", async () => {
  const clock = createSimulatedClock();
  const { signal } = new AbortController();
  using watch = watchSilence({ clock, signal, silenceMs: SILENCE_MS });
  clock.jumpWall(-HOUR_MS);
  await clock.advance(SILENCE_MS - 1);
  expect(watch.silent.aborted).toBe(false);
  await clock.advance(1);
  expect(watch.silent.aborted).toBe(true);
});

test("sleep of the machine is noticed when the next timer runs", async () => {
  const clock = createSimulatedClock();
  const { signal } = new AbortController();
  using watch = watchSilence({ clock, signal, silenceMs: SILENCE_MS });
  await clock.advance(30_000);
  watch.touch();
  clock.jumpWall(HOUR_MS);
  await clock.advance(15_000);
  expect(watch.silent.aborted).toBe(true);
});

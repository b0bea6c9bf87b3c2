import { expect, test } from "vitest";

import { SimulatedClock } from "../testing/simulated-clock.ts";
import { Readiness } from "./readiness.ts";

test("[R-20] the store makes one test write in two seconds, however often readiness is checked", async () => {
  const clock = new SimulatedClock();
  let commits = 0;
  const readiness = new Readiness({ clock, store: { commit: async () => void (commits += 1) } });
  for (let index = 0; index < 100; index += 1) expect(await readiness.takesWrites()).toBe(true);
  expect(commits).toBe(1);
  await clock.advance(2000);
  await Promise.all([readiness.takesWrites(), readiness.takesWrites()]);
  expect(commits).toBe(2);
});

test("[R-18] a store that fails or does not respond is not ready, and is asked again", async () => {
  const clock = new SimulatedClock();
  let commit = (): Promise<void> => Promise.reject(new Error("The disk is full."));
  const readiness = new Readiness({ clock, store: { commit: () => commit() } });
  expect(await readiness.takesWrites()).toBe(false);
  await clock.advance(2000);
  commit = () => new Promise(() => undefined);
  const silent = readiness.takesWrites();
  await clock.advance(2000);
  expect(await silent).toBe(false);
  commit = () => Promise.resolve();
  expect(await readiness.takesWrites()).toBe(true);
});

import * as fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";

import type { Disk } from "../memory-disk.ts";
import { RuleBroken, RuleLedger, type Rule } from "./rule-ledger.ts";
import { checkEnd, checkMoment } from "./schedule-checks.ts";
import { scheduleOptions } from "./schedule-options.ts";
import { schedules } from "./schedule-steps.ts";
import { Schedule } from "./schedule.ts";

/** This many schedules cover every possible case; fewer need not. */
const ENOUGH_FOR_ALL = 100;

/**
 * Tests that random schedules of a gateway with such a disk obey the rules. `numRuns` schedules, unless the campaign
 * sets more.
 */
export function describeSchedules(
  where: string,
  runs: number,
  openDisk: () => Disk | Promise<Disk>,
): void {
  const options = scheduleOptions(runs);
  describe(`on ${where}, in ${options.numRuns} random schedules of calls, clients, answers, talk, parking, time, stops, failing writes and crashes`, () => {
    const ledger = new RuleLedger();
    let tried = 0;
    let steps = 0;
    let failure: unknown;
    let report: string | undefined;

    beforeAll(async () => {
      const property = fc.asyncProperty(schedules, async (schedule) => {
        await using disk = await openDisk();
        await using both = await Schedule.open(disk, ledger);
        for (const step of schedule) {
          await both.take(step);
          await checkMoment(both);
          steps += 1;
        }
        await checkEnd(both);
        tried += 1;
      });
      const outcome = await fc.check(property, options);
      if (!outcome.failed) return;
      failure = outcome.errorInstance;
      report = await fc.asyncDefaultReportMessage(outcome);
    }, 1_800_000);

    const rules: readonly (readonly [Rule, string])[] = [
      ["R-1", "[R-1] one of two simultaneous responses wins, and the other gets the winner"],
      ["R-2", "[R-2] every acknowledged response is there after a crash at any write"],
      ["R-3", "[R-3] nothing is both expired and answered in time"],
      ["R-4", "[R-4] each response is delivered once, in time or as a message"],
      ["R-5", "[R-5] only input that a person approved is approved"],
      ["R-6", "[R-6] the shown input is the input that runs"],
      ["R-7", "[R-7] a page sees each event once, in order, whichever gateway runs"],
      ["R-8", "[R-8] all messages around an agent's prompts arrive in their order"],
      ["R-9", "[R-9] an answer during the announcement of its question is accepted"],
      ["R-10", "[R-10] the followed state equals the state that is read"],
      ["R-11", "[R-11] only offered choices are accepted"],
      ["R-12", "[R-12] questions of agents wait for a person in every permission mode"],
      ["R-13", "[R-13] a client with interaction off is refused, and accepted as soon as it is on"],
      ["R-14", "[R-14] nothing is left behind"],
      ["R-15", "[R-15] nothing crosses sessions whose calls have the same ids"],
    ];

    test.each(rules.map(([rule, title]) => ({ rule, title })))("$title", ({ rule }) => {
      if (failure instanceof RuleBroken && failure.rule === rule) {
        throw new Error(report, { cause: failure });
      }
      // Another rule was broken before this one could be checked often enough.
      if (failure !== undefined) return;
      expect(ledger.count(rule)).toBeGreaterThan(20);
    });

    test("every call ends as in the model, and every possible end occurs", async ({ annotate }) => {
      if (failure instanceof RuleBroken) return;
      if (failure !== undefined) throw new Error(report, { cause: failure });
      expect(tried).toBe(options.numRuns);
      expect(steps).toBeGreaterThan(5 * tried);
      const phases = [
        "pending",
        "queued",
        "expired",
        "withdrawn",
        "orphaned",
        "answered",
        "delivered",
      ];
      const outcomes = [
        "approved",
        "denied",
        "unavailable",
        "timeout",
        "cancelled",
        "refused",
        "lost",
      ];
      const answers = ["answered by a person", "answered by a grant"];
      const writes = ["a write that failed", "a write that lied"];
      const errands = ["open held", "open parked", "orphaned held", "resumed", "user_message"]
        .concat("withdrawn held", "withdrawn parked")
        .map((what) => `errand ${what}`);
      const agents = ["live", "die", "forget"].map((fate) => `agents that ${fate}`);
      const all = [...phases, ...outcomes, ...answers, ...writes, ...errands, ...agents];
      const missing = all.filter((what) => !ledger.met.has(what));
      expect(tried < ENOUGH_FOR_ALL ? [] : missing).toEqual([]);
      await annotate(
        `${tried} schedules of ${steps} steps, from the seed ${options.seed}`,
        "cases",
      );
    });
  });
}

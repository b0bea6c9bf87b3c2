import * as fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";

import type { Disk } from "../memory-disk.ts";
import { RuleBroken, RuleLedger, type Rule } from "./rule-ledger.ts";
import { scheduleOptions } from "./schedule-options.ts";
import { VoteSchedule } from "./vote-schedule.ts";
import { voteSchedules } from "./vote-steps.ts";

/** This many schedules cover every possible case; fewer need not. */
const ENOUGH_FOR_ALL = 20;

const RULES: readonly (readonly [Rule, string])[] = [
  ["R-1", "[R-1] simultaneous votes have the result of one of their orders"],
  ["R-2", "[R-2] each acknowledged vote and comment is there after a crash at any write"],
  ["R-4", "[R-4] the program gets the answer and the comments, and no vote"],
  ["R-5", "[R-5] a yes needs the required number of approvers, and one no settles"],
  ["R-10", "[R-10] the log folds to the state that is read"],
];

/**
 * Tests that random schedules of votes with such a disk obey the rules. `numRuns` schedules, unless the campaign sets
 * more.
 */
export function describeVoteSchedules(
  where: string,
  runs: number,
  openDisk: () => Disk | Promise<Disk>,
): void {
  const options = scheduleOptions(runs);
  describe(`on ${where}, in ${options.numRuns} random schedules of votes, comments, hand-overs, roles, steps and crashes`, () => {
    const ledger = new RuleLedger();
    let failure: unknown;
    let report: string | undefined;

    beforeAll(async () => {
      const property = fc.asyncProperty(voteSchedules, async (schedule) => {
        await using disk = await openDisk();
        await using both = await VoteSchedule.open(disk, ledger);
        for (const step of schedule) await both.take(step);
      });
      const outcome = await fc.check(property, options);
      if (!outcome.failed) return;
      failure = outcome.errorInstance;
      report = await fc.asyncDefaultReportMessage(outcome);
    }, 1_800_000);

    test.each(RULES.map(([rule, title]) => ({ rule, title })))("$title", ({ rule }) => {
      if (failure instanceof RuleBroken && failure.rule === rule) {
        throw new Error(report, { cause: failure });
      }
      // Another rule was broken before this one could be checked often enough.
      if (failure !== undefined) return;
      expect(ledger.count(rule)).toBeGreaterThan(10);
    });

    test("every possible end of an ask occurs", async ({ annotate }) => {
      if (failure instanceof RuleBroken) return;
      if (failure !== undefined) throw new Error(report, { cause: failure });
      const all = ["accepted", "NOT_RESPONDER", "FORBIDDEN", "ALREADY_ANSWERED", "EXPIRED"]
        .concat("INVALID_REQUEST", "approve", "deny", "pending", "expired", "crash", "back")
        .filter((what) => !ledger.met.has(what));
      expect(options.numRuns < ENOUGH_FOR_ALL ? [] : all).toEqual([]);
      await annotate(
        `${options.numRuns} schedules of votes, from the seed ${options.seed}`,
        "cases",
      );
    });
  });
}

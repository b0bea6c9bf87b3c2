import { describe, expect, test } from "vitest";

import type { Campaign } from "./campaigns.ts";
import { judgeCampaign } from "./judge-campaign.ts";

const campaign: Campaign = {
  name: "kills",
  what: "kills",
  project: "process",
  files: ["a.test.ts", "b.test.ts"],
  cases: 600,
};
const good = {
  passed: ["a", "b"],
  failed: [],
  errorCount: 0,
  cases: ["600 kills in 9 rounds (a)", "1,000 kills (b)"],
};

describe("a campaign", () => {
  test("passes when its files tried as many cases as planned", () => {
    expect(judgeCampaign(campaign, good)).toEqual({
      executed: 1600,
      planned: 1200,
      said: ["600 kills in 9 rounds", "1,000 kills"],
      problems: [],
    });
  });

  test("counts tests instead of cases for a campaign of tests", () => {
    const { cases: _, ...others } = campaign;
    const rows: Campaign = { ...others, countsTests: true };
    const result = judgeCampaign(rows, { ...good, cases: [] });
    expect(result).toMatchObject({ executed: 2, said: ["2 tests"], problems: [] });
    expect(judgeCampaign(rows, { ...good, failed: ["c"] }).problems).toEqual(["c"]);
  });

  test.each([
    ["tried fewer", { cases: ["599 kills (a)", "600 kills (b)"] }, /only 1199 of 1200/],
    ["said nothing", { cases: ["2000 kills (a)"] }, /did not say/],
    ["has a test that failed", { failed: ["b"] }, /^b$/],
    ["could not be loaded", { errorCount: 1 }, /1 errors/],
    ["ran nothing", { passed: [] }, /no test passed/],
  ])("fails when it %s", (_, change, problem) => {
    const { problems } = judgeCampaign(campaign, { ...good, ...change });
    expect(problems).toContainEqual(expect.stringMatching(problem));
  });
});

import { describe, expect, test } from "vitest";

import { type CampaignRun, updateResults } from "./results-table.ts";

const NAMES = ["power", "kills"];
const run: CampaignRun = {
  name: "kills",
  executed: 600,
  planned: 600,
  said: ["600 kills"],
  problems: [],
  seconds: 9.4,
  seed: "7",
};

describe("the table of the last runs", () => {
  test("keeps the rows of other campaigns, in the order of the campaigns", () => {
    const first = updateResults("", [run], NAMES);
    const both = updateResults(first, [{ ...run, name: "power", planned: undefined }], NAMES);
    expect(both.split("\n").slice(-3)).toEqual([
      "| power | 600 | yes | 9 | 7 | 600 kills |",
      "| kills | 600 of 600 | yes | 9 | 7 | 600 kills |",
      "",
    ]);
  });

  test("replaces the row of an earlier run, and gives the reason of a failed one", () => {
    const first = updateResults("", [run], NAMES);
    const again = updateResults(
      first,
      [{ ...run, executed: 5, problems: ["only 5", "b|c"] }],
      NAMES,
    );
    expect(again.split("\n").at(-2)).toBe(
      "| kills | 5 of 600 | no: only 5; b c | 9 | 7 | 600 kills |",
    );
  });

  test("drops campaigns that no longer exist", () => {
    const first = updateResults("", [run], NAMES);
    expect(updateResults(first, [], ["power"])).not.toContain("kills");
  });
});

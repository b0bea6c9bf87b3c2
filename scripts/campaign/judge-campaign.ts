import type { TestReport } from "../test/test-report.ts";
import type { Campaign } from "./campaigns.ts";

export interface CampaignResult {
  /** The number of cases that the tests reported. */
  readonly executed: number;
  /** The number of planned cases; absent when only the tests know it. */
  readonly planned: number | undefined;
  /** The reports of the tests, in words. */
  readonly said: readonly string[];
  readonly problems: readonly string[];
}

type Report = Pick<TestReport, "passed" | "failed" | "errorCount" | "cases">;

/** A campaign passes when each of its tests passes and reports at least the planned number of cases. */
export function judgeCampaign(campaign: Campaign, report: Report): CampaignResult {
  const counts = campaign.countsTests ? report.passed.map(() => 1) : report.cases.map(countIn);
  const executed = counts.reduce((sum, count) => sum + count, 0);
  const planned = campaign.cases === undefined ? undefined : campaign.cases * campaign.files.length;
  const problems = [
    ...report.failed,
    ...(report.errorCount > 0 ? [`${report.errorCount} errors outside of tests`] : []),
    ...(report.passed.length === 0 ? ["no test passed"] : []),
    ...(counts.length < campaign.files.length ? ["a file did not say how much it tried"] : []),
    ...(executed < (planned ?? 1) ? [`only ${executed} of ${planned ?? "any"} were tried`] : []),
  ];
  return { executed, planned, said: toSaid(campaign, report), problems };
}

function toSaid(campaign: Campaign, { passed, cases }: Report): string[] {
  return campaign.countsTests ? [`${passed.length} tests`] : cases.map(withoutTitle);
}

/** The number at the start of a test's report, such as in "1,200 payloads". */
function countIn(words: string): number {
  const [digits = "0"] = /^[\d,]+/u.exec(words) ?? [];
  return Number(digits.replaceAll(",", ""));
}

/** A test's report without the title of the test, which the reporter appends. */
function withoutTitle(words: string): string {
  return words.replace(/ \(.*\)$/u, "");
}

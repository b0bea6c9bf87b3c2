// Tries far more cases than the tests, each time from another seed: npm run campaign -- [NAME...] [--seed N] [--share 0.1]
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";

import { startVitest } from "vitest/node";

import { type Campaign, CAMPAIGNS } from "./campaign/campaigns.ts";
import { type CampaignResult, judgeCampaign } from "./campaign/judge-campaign.ts";
import { TestReport } from "./test/test-report.ts";

/** A campaign ends after its cases. This limit only ends one that hangs. */
const TIME_LIMIT_MS = String(4 * 60 * 60 * 1000);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: "string" }, share: { type: "string", default: "1" } },
});
const seed = values.seed ?? String(randomInt(2 ** 31));
const unknown = positionals.filter((name) => !CAMPAIGNS.some((one) => one.name === name));
if (unknown.length > 0) {
  const list = CAMPAIGNS.map(({ name, what }) => `  ${name.padEnd(12)} ${what}`);
  print(`No such campaign: ${unknown.join(", ")}. There are:`, ...list);
  process.exit(1);
}

const lines: string[] = [];
let failures = 0;
for (const campaign of CAMPAIGNS) {
  if (positionals.length > 0 && !positionals.includes(campaign.name)) continue;
  const startedAt = performance.now();
  print("", `${campaign.name}: ${campaign.what}, from the seed ${seed}`);
  const { executed, planned, said, problems } = await run(withShare(campaign));
  const seconds = (performance.now() - startedAt) / 1000;
  const of = planned === undefined ? "" : ` of ${planned}`;
  lines.push(
    `- ${campaign.name}: ${executed}${of} in ${seconds.toFixed(0)} s (${said.join("; ")})`,
    ...problems.map((one) => `    ${one}`),
  );
  if (problems.length > 0) failures += 1;
}
print(
  "",
  `Executed, from the seed ${seed}:`,
  ...lines,
  failures === 0 ? "All held." : `${failures} did not hold.`,
);
process.exit(failures === 0 ? 0 : 1);

function withShare(campaign: Campaign): Campaign {
  if (campaign.cases === undefined) return campaign;
  return { ...campaign, cases: Math.max(1, Math.ceil(campaign.cases * Number(values.share))) };
}

async function run(campaign: Campaign): Promise<CampaignResult> {
  const { project, files, cases, env } = campaign;
  const variables = {
    ...env,
    CAMPAIGN_SEED: seed,
    ...(cases !== undefined && { CAMPAIGN_CASES: String(cases) }),
  };
  Object.assign(process.env, variables);
  const report = new TestReport();
  const vitest = await startVitest([...files], {
    watch: false,
    project: [project],
    reporters: ["default", report],
    testTimeout: Number(TIME_LIMIT_MS),
    hookTimeout: Number(TIME_LIMIT_MS),
  });
  await vitest.close();
  for (const name of Object.keys(variables)) delete process.env[name];
  return judgeCampaign(campaign, report);
}

function print(...texts: readonly string[]): void {
  process.stdout.write(`${texts.join("\n")}\n`);
}

import type { CampaignResult } from "./judge-campaign.ts";

/** One run of one campaign, for the table of the last runs. */
export interface CampaignRun extends CampaignResult {
  readonly name: string;
  readonly seconds: number;
  readonly seed: string;
}

const HEAD = [
  "# The last run of each campaign",
  "",
  "Written by `npm run campaign`. A run has held when every check passed and as much was tried as was",
  "planned. `npm test` tries a share of each campaign.",
  "",
  "| campaign | tried | held | seconds | seed | what the tests said |",
  "| -------- | ----- | ---- | ------- | ---- | ------------------- |",
];

/** The table with these runs in place of earlier runs of the same campaigns; rows stay in the order of `names`. */
export function updateResults(
  table: string,
  runs: readonly CampaignRun[],
  names: readonly string[],
): string {
  const rows = new Map(
    table.split("\n").flatMap((line) => {
      const [, name] = /^\| +([\w-]+) +\|/u.exec(line) ?? [];
      return name !== undefined && names.includes(name) ? [[name, line]] : [];
    }),
  );
  for (const run of runs) rows.set(run.name, rowOf(run));
  const sorted = names.flatMap((name) => rows.get(name) ?? []);
  return [...HEAD, ...sorted, ""].join("\n");
}

function rowOf({ name, executed, planned, problems, said, seconds, seed }: CampaignRun): string {
  const tried = planned === undefined ? `${executed}` : `${executed} of ${planned}`;
  const held = problems.length === 0 ? "yes" : `no: ${problems.join("; ")}`;
  const cells = [name, tried, held, seconds.toFixed(0), seed, said.join("; ")];
  return `| ${cells.map((cell) => cell.replaceAll(/[|\n]/gu, " ")).join(" | ")} |`;
}

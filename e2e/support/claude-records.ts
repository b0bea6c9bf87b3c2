import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { until } from "./api.ts";

/** Claude's own records of its conversations, where its data is in this folder. */
function readRecords(folder: string): string {
  const projects = join(folder, ".claude-data/projects");
  if (!existsSync(projects)) return "";
  const names = readdirSync(projects, { recursive: true }).map(String);
  const records = names.filter((name) => name.endsWith(".jsonl"));
  return records.map((name) => readFileSync(join(projects, name), "utf8")).join("");
}

/** Claude can go on from this call only once it is in its records, a moment after it asks. */
export async function untilRecorded(folder: string, toolCallId: string): Promise<void> {
  await until(async () => readRecords(folder).includes(`"${toolCallId}"`), "Claude's record");
}

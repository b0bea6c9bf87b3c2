import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { until } from "./api.ts";

/** The lines of Claude's own records of its conversations in this data folder. */
function readRecords(folder: string): string[] {
  const projects = join(folder, ".claude-data/projects");
  if (!existsSync(projects)) return [];
  const names = readdirSync(projects, { recursive: true }).map(String);
  const records = names.filter((name) => name.endsWith(".jsonl"));
  return records.flatMap((name) => readFileSync(join(projects, name), "utf8").split("\n"));
}

/**
 * Waits until Claude can resume at this call: until the call is in its records, a moment after it asks. The records
 * also contain the model's input, which may contain the same word.
 */
export async function untilRecorded(folder: string, toolCallId: string): Promise<void> {
  const isCall = (line: string): boolean =>
    line.includes('"type":"assistant"') && line.includes(`"id":"${toolCallId}"`);
  await until(async () => readRecords(folder).some(isCall), "Claude's record");
}

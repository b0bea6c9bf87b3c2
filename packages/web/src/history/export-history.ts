import type { Transport } from "@holdpoint/client";
import { type HistoryFilter, pagesOf } from "@holdpoint/protocol";

const PAGE_SIZE = 200;

/** All entries that match a filter, newest first, as lines of JSON in the format of `/api/history`. */
export async function readLines(
  transport: Pick<Transport, "listHistory">,
  filter: HistoryFilter,
  signal: AbortSignal,
): Promise<string[]> {
  const lines: string[] = [];
  for await (const { items } of pagesOf((start) =>
    transport.listHistory({ ...filter, limit: PAGE_SIZE, ...start }, { signal }),
  )) {
    for (const entry of items) lines.push(`${JSON.stringify(entry)}\n`);
  }
  return lines;
}

/** Saves a file with the browser. Returns an object URL, to be revoked once the file is saved. */
export function saveLines(name: string, lines: readonly string[]): string {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([...lines], { type: "application/jsonl" }));
  link.download = name;
  link.click();
  return link.href;
}

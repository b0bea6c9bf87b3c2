import type { Transport } from "@holdpoint/client";
import type { HistoryFilter } from "@holdpoint/protocol";

const PAGE_SIZE = 200;

/** All that a filter finds, newest first, each on a line of JSON: what `/api/history` gives a program. */
export async function readLines(
  transport: Pick<Transport, "listHistory">,
  filter: HistoryFilter,
  signal: AbortSignal,
): Promise<string[]> {
  const lines: string[] = [];
  for (let cursor: string | undefined; ;) {
    const query = { ...filter, limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) };
    const { items, nextCursor } = await transport.listHistory(query, { signal });
    for (const entry of items) lines.push(`${JSON.stringify(entry)}\n`);
    if (nextCursor === undefined) return lines;
    cursor = nextCursor;
  }
}

/** Has the browser save a file. The address that it gives back has to be revoked once it is saved. */
export function saveLines(name: string, lines: readonly string[]): string {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([...lines], { type: "application/jsonl" }));
  link.download = name;
  link.click();
  return link.href;
}

import type { Transport } from "@holdpoint/client";
import type { HistoryFilter } from "@holdpoint/protocol";

const PAGE_SIZE = 200;

/** All entries that match a filter, newest first, as lines of JSON in the format of `/api/history`. */
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

/** Saves a file with the browser. Returns an object URL, to be revoked once the file is saved. */
export function saveLines(name: string, lines: readonly string[]): string {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([...lines], { type: "application/jsonl" }));
  link.download = name;
  link.click();
  return link.href;
}

import { appendFile, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Clock } from "@holdpoint/engine";
import { createMemoryUsedStates, type UsedStates } from "@holdpoint/server";
import type { UsedStateRows } from "@holdpoint/store-postgres";

const FILE_NAME = "used-states";
/** The file with used-up grants. */
export const SPENT_GRANTS_FILE = "spent-grants";
/** Number of lines written before the file is rewritten without expired ones. */
const MORE_LINES = 1000;

/**
 * Keeps a record of used MCP client states in the data folder, one per line. The caller holds the writer's lock.
 * Rejects if the file cannot be read or written.
 */
export async function openUsedStates(
  dataDir: string,
  clock: Clock,
  fileName = FILE_NAME,
): Promise<UsedStates> {
  const path = join(dataDir, fileName);
  const states = createMemoryUsedStates(clock);
  let lines = 0;
  let limit = 0;
  const begin = async (): Promise<void> => {
    const kept = (await read(path)).filter(({ untilMs }) => untilMs > clock.now());
    for (const { id, untilMs } of kept) await states.add(id, untilMs);
    await replace(path, kept.map(toLine).join(""));
    lines = kept.length;
    limit = 2 * kept.length + MORE_LINES;
  };
  await begin();
  let last: Promise<void> = Promise.resolve();
  return {
    has: (id) => states.has(id),
    async add(id, untilMs) {
      await states.add(id, untilMs);
      const write = async (): Promise<void> => {
        if (lines >= limit) await begin();
        await appendFile(path, toLine({ id, untilMs }), { mode: 0o600, flush: true });
        lines += 1;
      };
      const written = last.then(write);
      last = written.catch(() => undefined);
      await written;
    },
  };
}

/**
 * Keeps used MCP client states in the database, for one of several nodes, so that the next node finds them. `before`
 * holds the states from this node's folder. Rejects with `StoreError`.
 */
export async function openSharedStates(
  rows: UsedStateRows,
  before: UsedStates,
  clock: Clock,
): Promise<UsedStates> {
  const states = createMemoryUsedStates(clock);
  for (const { id, untilMs } of await rows.list(clock.now())) await states.add(id, untilMs);
  return {
    has: (id) => states.has(id) || before.has(id),
    async add(id, untilMs) {
      await states.add(id, untilMs);
      await rows.add(id, { untilMs, nowMs: clock.now() });
    },
  };
}

interface Kept {
  readonly id: string;
  readonly untilMs: number;
}

function toLine({ id, untilMs }: Kept): string {
  return `${untilMs} ${id}\n`;
}

/** Reads the complete lines. An incomplete last line, left by a killed gateway, was never acknowledged to anyone. */
async function read(path: string): Promise<Kept[]> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  });
  return text
    .split("\n")
    .slice(0, -1)
    .flatMap((line) => {
      const [, until = "", id = ""] = /^(\d{1,15}) (\S{1,200})$/.exec(line) ?? [];
      return id === "" ? [] : [{ id, untilMs: Number(until) }];
    });
}

/** Replaces the file atomically. */
async function replace(path: string, text: string): Promise<void> {
  const whole = `${path}.new`;
  await rm(whole, { force: true });
  await writeFile(whole, text, { mode: 0o600, flag: "wx", flush: true });
  await rename(whole, path);
}

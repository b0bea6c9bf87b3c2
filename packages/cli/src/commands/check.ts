import { checkStore, type StoreReport } from "@holdpoint/store-sqlite";

import { UsageError } from "../usage-error.ts";

export interface CheckOptions {
  readonly dataDir: string;
  /** The address of a database. Absent: the store is in the data folder. */
  readonly store?: string;
  readonly json: boolean;
}

export interface Checked {
  readonly output: string;
  readonly isWhole: boolean;
}

/**
 * Checks the whole store without changing it, even while a gateway runs. Returns the command's output, and whether
 * everything is intact.
 */
export async function check({ dataDir, store, json }: CheckOptions): Promise<Checked> {
  if (store !== undefined) return checkPostgres(store, json);
  const report = checkStore(dataDir);
  if (!report) throw new UsageError(`There is no data folder of a gateway at ${dataDir}.`);
  const output = json ? `${JSON.stringify(report)}\n` : describe(report);
  return { output, isWhole: report.problems.length === 0 };
}

async function checkPostgres(url: string, json: boolean): Promise<Checked> {
  const { checkPostgresStore } = await import("@holdpoint/store-postgres");
  const report = await checkPostgresStore(url);
  const { address, server, schema, rows, isInUse, problems, workingNode } = report;
  const lines = [
    `Database: ${address}${isInUse ? " (a gateway uses it)" : ""}`,
    `Rows: ${count(rows.sessions)} sessions, ${count(rows.entries)} log entries, ${count(rows.interactions)} interactions`,
    `Postgres: ${server.version}, synchronous_commit ${server.synchronousCommit}, fsync ${server.fsync}, schema ${schema ?? "none yet"}`,
    ...(workingNode ? [`Nodes: the working node is at ${workingNode.address}`] : []),
    "",
    ...problems.map((problem) => `! ${problem}`),
    problems.length === 0 ? "Nothing is missing." : "See guides/postgres.md for ways to repair it.",
    "",
  ];
  const output = json ? `${JSON.stringify(report)}\n` : lines.join("\n");
  return { output, isWhole: problems.length === 0 };
}

function describe({ path, sqlite, bytes, pages, rows, ...rest }: StoreReport): string {
  const { marker, isInUse, problems } = rest;
  const lines = [
    `Data folder: ${path}${isInUse ? " (a gateway uses it)" : ""}`,
    `Rows: ${count(rows.sessions)} sessions, ${count(rows.entries)} log entries, ${count(rows.interactions)} interactions`,
    `Database: ${size(bytes.database)}, ${count(pages.free)} of ${count(pages.all)} pages free, ${size(bytes.log)} of log, ${size(bytes.free)} left on the disk`,
    `SQLite: ${sqlite.version}, journal ${sqlite.journal}, gives space back ${sqlite.vacuum}`,
    `Marker: ${marker}`,
    "",
    ...problems.map((problem) => `! ${problem}`),
    problems.length === 0
      ? "Nothing is damaged or missing."
      : "Restore a copy of the data folder, or see guides/durability.md for other ways.",
    "",
  ];
  return lines.join("\n");
}

function count(number: number): string {
  return number.toLocaleString("en-US");
}

function size(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

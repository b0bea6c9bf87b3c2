import { type BackupReport, backupStore, restoreStore } from "@holdpoint/store-sqlite";

import { UsageError } from "../usage-error.ts";
import { missing } from "../usage.ts";

interface PlaceOptions {
  readonly dataDir: string;
  /** The address of a database. Absent: the store is in the data folder. */
  readonly store?: string | undefined;
  readonly words: readonly string[];
  readonly json: boolean;
}

/** Copies the gateway's store into a file, also while the gateway runs. Returns the command's output. */
export async function backup({ dataDir, store, words, json }: PlaceOptions): Promise<string> {
  const [file] = words;
  if (file === undefined) throw missing("FILE", "backup");
  if (store !== undefined) {
    throw ofPostgres("pg_dump --schema=holdpoint --format=custom --file=FILE");
  }
  const report = await backupStore(dataDir, file);
  return describe(report, {
    json,
    done: "Copied and checked:",
    next: "The keys of sensitive values and gateway.secret are not in it: after a restore everyone signs in again.",
  });
}

/** Restores a backup file into an empty data folder. Returns the command's output. */
export async function restore({ dataDir, store, words, json }: PlaceOptions): Promise<string> {
  const [file] = words;
  if (file === undefined) throw missing("FILE", "restore");
  if (store !== undefined) {
    throw ofPostgres("pg_restore --clean --if-exists --dbname=DATABASE FILE");
  }
  const report = await restoreStore(file, dataDir);
  return describe(report, {
    json,
    done: `Restored into ${dataDir} and checked:`,
    next: "Pages load everything again, everyone signs in again, and grants are forgotten. Everything after the backup is lost: requests that were answered later ask again, answers that had not reached their agent are delivered again, and queued messages are sent.",
  });
}

function ofPostgres(command: string): UsageError {
  return new UsageError(
    `Postgres has its own tools for this: \`${command}\`. See guides/postgres.md.`,
  );
}

function describe(
  report: BackupReport,
  { json, done, next }: { readonly json: boolean; readonly done: string; readonly next: string },
): string {
  if (json) return `${JSON.stringify(report)}\n`;
  const { path, rows, bytes, sha256 } = report;
  return [
    done,
    `  ${path} (${(bytes / 1e6).toFixed(1)} MB)`,
    `  ${count(rows.sessions)} sessions, ${count(rows.entries)} log entries, ${count(rows.interactions)} interactions`,
    `  sha256 ${sha256}`,
    next,
    "",
  ].join("\n");
}

function count(number: number): string {
  return number.toLocaleString("en-US");
}

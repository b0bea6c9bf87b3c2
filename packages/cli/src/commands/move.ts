import { UsageError } from "../usage-error.ts";

export interface MoveOptions {
  readonly dataDir: string;
  /** The address of a Postgres database, or `sqlite` for the data folder. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The store from the settings, used when moving back. */
  readonly store?: string | undefined;
}

const USAGE =
  "Say where to: holdpoint move --to postgres://user@host/database, or holdpoint move --from postgres://… --to sqlite.";

/** Moves the gateway's store from its data folder into a database, or back. Returns the command's output. */
export async function move({ dataDir, from, to, store }: MoveOptions): Promise<string> {
  const { moveToPostgres, moveToSqlite } = await import("@holdpoint/store-postgres");
  const isBack = to === "sqlite";
  const url = isBack ? (from ?? store) : to;
  const isAddress = url !== undefined && /^postgres(?:ql)?:\/\//u.test(url);
  if (!isAddress || (!isBack && from !== undefined && from !== "sqlite")) {
    throw new UsageError(USAGE);
  }
  const moved = await (isBack ? moveToSqlite : moveToPostgres)({ url, dataDir });
  const lines = Object.entries(moved).map(
    ([table, { rows }]) => `  ${table.padEnd(28)}${rows.toLocaleString("en-US")}`,
  );
  const next = isBack
    ? "Start without --store from now on. The database is marked, and no gateway starts with it."
    : "Start with --store from now on. The data folder is still needed: its keys, its secret and the files of agent hosts stay there.";
  return ["Moved, and compared by counts and hashes:", ...lines, next, ""].join("\n");
}

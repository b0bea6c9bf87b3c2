import type { Settings } from "../config/settings.ts";
import { missing } from "../usage.ts";

/** Moves the gateway's store from its data folder into a database, or back. Returns the command's output. */
export async function move({
  dataDir,
  from,
  to,
  store,
}: Pick<Settings, "dataDir" | "from" | "store" | "to">): Promise<string> {
  const { moveToPostgres, moveToSqlite } = await import("@holdpoint/store-postgres");
  const isBack = to === "sqlite";
  const url = isBack ? (from ?? store) : to;
  const isAddress = url !== undefined && /^postgres(?:ql)?:\/\//u.test(url);
  if (!isAddress || (!isBack && from !== undefined && from !== "sqlite")) {
    const part = to === undefined ? "--to" : "the address of a Postgres database";
    throw missing(part, "move");
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

export { openSqliteStore } from "@holdpoint/store-sqlite";
export type { SqliteStore } from "@holdpoint/store-sqlite";

export { openSqliteStore } from "./sqlite-store.ts";
export type { SqliteStore } from "./sqlite-store.ts";

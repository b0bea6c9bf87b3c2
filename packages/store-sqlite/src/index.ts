export { checkStore } from "./check-store.ts";
export type { StoreReport } from "./check-store.ts";
export { openSqliteStore } from "./sqlite-store.ts";
export type { SqliteStore } from "./sqlite-store.ts";

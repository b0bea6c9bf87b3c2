export { checkStore } from "./check-store.ts";
export type { StoreReport } from "./check-store.ts";
export type { WaitingCall, WaitingCalls } from "./list-waiting.ts";
export { claimDataFolder } from "./claim-data-folder.ts";
export { DATA_FILES } from "./data-dir.ts";
export { MOVED_MARK } from "./refuse-moved.ts";
export { openSqliteAudit } from "./open-sqlite-audit.ts";
export { openSqliteStore } from "./open-sqlite-store.ts";
export type { SqliteStore } from "./sqlite-store.ts";

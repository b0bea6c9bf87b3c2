export { isPostgresAddress, showAddress } from "./address.ts";
export { checkPostgresStore, type PostgresReport } from "./check-postgres-store.ts";
export type { Contents } from "./copy-rows.ts";
export { moveToPostgres, moveToSqlite } from "./move-store.ts";
export { openPostgresAudit } from "./open-postgres-audit.ts";
export { openPostgresStore, type PostgresStoreOptions } from "./open-postgres-store.ts";
export type { PostgresStore } from "./postgres-store.ts";

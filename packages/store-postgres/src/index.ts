export { isPostgresAddress, showAddress } from "./address.ts";
export { openPostgresStore, type PostgresStoreOptions } from "./open-postgres-store.ts";
export type { PostgresStore } from "./postgres-store.ts";

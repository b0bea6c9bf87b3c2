export { isPostgresAddress, showAddress } from "./address.ts";
export { checkPostgresStore, type PostgresReport } from "./check-postgres-store.ts";
export type { Contents } from "./copy-rows.ts";
export { moveToPostgres, moveToSqlite } from "./move-store.ts";
export { joinNodes, type JoinNodesOptions } from "./join-nodes.ts";
export type { LeaseState, WorkingNode } from "./lease-life.ts";
export { NodeLease, type NodeLeaseOptions } from "./node-lease.ts";
export { openPostgresAudit } from "./open-postgres-audit.ts";
export {
  type NodeTerm,
  openPostgresStore,
  type PostgresStoreOptions,
} from "./open-postgres-store.ts";
export type { PostgresStore } from "./postgres-store.ts";
export type { UsedStateRows } from "./postgres-used-states.ts";

import { StoreError } from "@holdpoint/engine";
import type pg from "pg";

import type { WorkingNode } from "./lease-life.ts";

/** Returns the working node; `undefined` when no node has the lease. */
export async function readWorkingNode(client: pg.ClientBase): Promise<WorkingNode | undefined> {
  const { rows } = await client.query<WorkingNode>(
    `SELECT node, fence, address, release FROM holdpoint.node_lease WHERE ends_at > clock_timestamp()`,
  );
  return rows[0];
}

/** Throws `STORE_LOCKED` while a node works. */
export async function refuseBesideNodes(client: pg.ClientBase, address: string): Promise<void> {
  const node = await readWorkingNode(client);
  if (!node) return;
  throw new StoreError(
    "STORE_LOCKED",
    `The node at ${node.address} works with the database ${address}. Stop all nodes first.`,
  );
}

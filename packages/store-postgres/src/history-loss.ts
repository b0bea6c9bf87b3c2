import { StoreError } from "@holdpoint/engine";

import type { Mark } from "./history-marker.ts";
import type { History } from "./history.ts";

/** True if the database's history is at least as long as the mark in the data folder. */
export function isWhole(mark: Mark | undefined, found: History): mark is Mark {
  return mark?.epoch === found.epoch && mark.generation <= found.generation;
}

/** The error for an incomplete history. `wayOut` completes "Restore a newer copy of the database, or". */
export function historyLost(
  mark: Mark,
  found: History,
  { address, wayOut }: { readonly address: string; readonly wayOut: string },
): StoreError {
  const missing =
    mark.epoch === found.epoch
      ? `The database ${address} is older than it was: its last ${(mark.generation - found.generation).toLocaleString("en-US")} writes are missing.`
      : `The database ${address} holds another history than the gateway of this data folder had.`;
  return new StoreError(
    "HISTORY_LOST",
    `${missing} Restore a newer copy of the database, or ${wayOut}`,
  );
}

import type { StoreAccess } from "./access.ts";
import { fromKey, toKey } from "./text-key.ts";
import { toWhole } from "./whole-number.ts";

/** The request states that MCP clients have used, shared by all nodes, so that none is answered twice. */
export interface UsedStateRows {
  /** Lists the states that have not expired. */
  list(nowMs: number): Promise<{ readonly id: string; readonly untilMs: number }[]>;
  add(id: string, ends: { readonly untilMs: number; readonly nowMs: number }): Promise<void>;
}

export function createUsedStateRows({ read, write }: StoreAccess): UsedStateRows {
  return {
    async list(nowMs) {
      const rows = await read<{ state_id: string; until_ms: number }>(
        "SELECT state_id, until_ms FROM used_states WHERE until_ms > $1 ORDER BY until_ms",
        [toWhole(nowMs)],
      );
      return rows.map((row) => ({ id: fromKey(row.state_id), untilMs: row.until_ms }));
    },
    async add(id, { untilMs, nowMs }) {
      const argument = { key: toKey(id), untilMs: toWhole(untilMs), nowMs: toWhole(nowMs) };
      await write({ call: "used_state", with: argument });
    },
  };
}

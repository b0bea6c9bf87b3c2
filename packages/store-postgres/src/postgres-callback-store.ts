import type { Callback, CallbackStore } from "@holdpoint/notify";

import type { JsonRow, StoreAccess } from "./access.ts";
import { toKey } from "./text-key.ts";
import { toWhole } from "./whole-number.ts";

export function createCallbackStore({ read, write }: StoreAccess): CallbackStore {
  return {
    async listOpen() {
      const rows = await read<JsonRow>(
        "SELECT json FROM ask_callbacks WHERE is_open ORDER BY created_at_ms, interaction_id",
      );
      return rows.map(parse);
    },
    async find(interactionId) {
      const [row] = await read<JsonRow>(
        "SELECT json FROM ask_callbacks WHERE interaction_id = $1",
        [toKey(interactionId)],
      );
      return row && parse(row);
    },
    async put(callback) {
      const { interactionId, state, createdAtMs, changedAtMs } = callback;
      const isOpen = state === "waiting" || state === "sending";
      const json = JSON.stringify(callback);
      const columns = { key: toKey(interactionId), isOpen, createdAtMs, changedAtMs, json };
      await write({ call: "callback", with: columns });
    },
    async remove(interactionId) {
      await write({ call: "no_callback", with: { key: toKey(interactionId) } });
    },
    async forgetDone(beforeMs) {
      await write({ call: "no_callback", with: { doneBeforeMs: toWhole(Math.ceil(beforeMs)) } });
    },
  };
}

function parse({ json }: JsonRow): Callback {
  return JSON.parse(json) as Callback;
}

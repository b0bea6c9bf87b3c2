import type { DatabaseSync } from "node:sqlite";

import type { Callback, CallbackStore } from "@holdpoint/notify";

import type { StoreAccess } from "./sqlite-credential-store.ts";
import { toKey } from "./text-key.ts";

interface JsonRow {
  readonly json: string;
}

export function createCallbackStore(
  database: DatabaseSync,
  { read, write }: StoreAccess,
): CallbackStore {
  const statements = prepareStatements(database);
  const change = (run: () => { readonly changes: number | bigint }): Promise<void> =>
    write(() => ({ keep: run().changes !== 0, value: undefined }));
  return {
    listOpen: () =>
      read(() => (statements.listOpen.all() as unknown as JsonRow[]).map((row) => parse(row))),
    find: (interactionId) =>
      read(() => {
        const row = statements.find.get(toKey(interactionId)) as JsonRow | undefined;
        return row && parse(row);
      }),
    async put(callback) {
      const { interactionId, state, createdAtMs, changedAtMs } = callback;
      const isOpen = state === "waiting" || state === "sending" ? 1 : 0;
      const json = JSON.stringify(callback);
      const columns = [toKey(interactionId), isOpen, createdAtMs, changedAtMs, json];
      return change(() => statements.put.run(...columns));
    },
    remove: async (interactionId) => change(() => statements.remove.run(toKey(interactionId))),
    forgetDone: async (beforeMs) => change(() => statements.forgetDone.run(beforeMs)),
  };
}

function parse({ json }: JsonRow): Callback {
  return JSON.parse(json) as Callback;
}

function prepareStatements(database: DatabaseSync) {
  return {
    listOpen: database.prepare(`
      SELECT json FROM ask_callbacks WHERE is_open = 1 ORDER BY created_at_ms, interaction_id`),
    find: database.prepare("SELECT json FROM ask_callbacks WHERE interaction_id = ?"),
    put: database.prepare(`
      INSERT INTO ask_callbacks (interaction_id, is_open, created_at_ms, changed_at_ms, json)
      VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (interaction_id) DO UPDATE SET is_open = excluded.is_open,
        changed_at_ms = excluded.changed_at_ms, json = excluded.json`),
    remove: database.prepare("DELETE FROM ask_callbacks WHERE interaction_id = ?"),
    forgetDone: database.prepare(`
      DELETE FROM ask_callbacks WHERE is_open = 0 AND changed_at_ms < ?`),
  };
}

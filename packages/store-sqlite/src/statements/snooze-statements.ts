import type { DatabaseSync } from "node:sqlite";

export function prepareSnoozeStatements(database: DatabaseSync) {
  return {
    listSnoozes: database.prepare(`
      SELECT interaction_id AS interactionId, until_ms AS untilMs FROM snoozes
      WHERE person = ? ORDER BY until_ms`),
    putSnooze: database.prepare(`
      INSERT OR REPLACE INTO snoozes (interaction_number, person, interaction_id, until_ms)
      SELECT interaction_number, ?, ?, ? FROM interactions WHERE interaction_id = ?`),
    removeSnooze: database.prepare(`
      DELETE FROM snoozes WHERE person = ? AND interaction_number = (
        SELECT interaction_number FROM interactions WHERE interaction_id = ?)`),
    forgetSnoozes: database.prepare("DELETE FROM snoozes WHERE until_ms <= ?"),
  };
}

import type { DatabaseSync } from "node:sqlite";

export function prepareEventStatements(database: DatabaseSync) {
  const statements = {
    insertEvent: database.prepare(`
      INSERT INTO events (place, hash, json) VALUES (?, ?, ?)`),
    eventsAfter: database.prepare(`
      SELECT place & 4294967295, json FROM events
      WHERE place > ? AND place < ? ORDER BY place LIMIT ?`),
    chainAfter: database.prepare(`
      SELECT place & 4294967295, json, hash FROM events
      WHERE place < ?2 AND place > ?1 ORDER BY place LIMIT ?3`),
    eventsBefore: database.prepare(`
      SELECT place & 4294967295, json FROM events
      WHERE place > ? AND place < ? ORDER BY place DESC LIMIT ?`),
  };
  statements.chainAfter.setReturnArrays(true);
  statements.eventsAfter.setReturnArrays(true);
  statements.eventsBefore.setReturnArrays(true);
  return statements;
}

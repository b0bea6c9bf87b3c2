export const EVENT_STATEMENTS = {
  insertEvent: `
      INSERT INTO events (place, hash, json) VALUES (?, ?, ?)`,
  eventsAfter: `
      SELECT place & 4294967295, json FROM events
      WHERE place > ? AND place < ? ORDER BY place LIMIT ?`,
  chainAfter: `
      SELECT place & 4294967295, json, hash FROM events
      WHERE place < ?2 AND place > ?1 ORDER BY place LIMIT ?3`,
  eventsBefore: `
      SELECT place & 4294967295, json FROM events
      WHERE place > ? AND place < ? ORDER BY place DESC LIMIT ?`,
};

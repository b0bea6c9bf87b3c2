export const SNOOZE_STATEMENTS = {
  listSnoozes: `
      SELECT interaction_id AS interactionId, until_ms AS untilMs FROM snoozes
      WHERE person = ? ORDER BY until_ms`,
  putSnooze: `
      INSERT OR REPLACE INTO snoozes (interaction_number, person, interaction_id, until_ms)
      SELECT interaction_number, ?, ?, ? FROM interactions WHERE interaction_id = ?`,
  removeSnooze: `
      DELETE FROM snoozes WHERE person = ? AND interaction_number = (
        SELECT interaction_number FROM interactions WHERE interaction_id = ?)`,
  forgetSnoozes: "DELETE FROM snoozes WHERE until_ms <= ?",
};

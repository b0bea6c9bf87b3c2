import { MAX_HISTORY_WORDS } from "@holdpoint/protocol";

import { isSeen } from "../seen.ts";
import { ROW } from "./columns.ts";

const SEARCHED_WORDS = Array.from({ length: MAX_HISTORY_WORDS }, (_, index) => `?${index + 4}`);
/** Filter values are bound after the words. Null matches everything. */
const FILTERED = ["person", "agent", "tool", "action"].map(
  (column, index) => `(?${index + 12} IS NULL OR ${column} = ?${index + 12})`,
);
const FOUND = [...FILTERED, ...SEARCHED_WORDS.map(hasWord)].join(" AND ");

/** SQL for one word. An empty word matches everything. */
function hasWord(word: string): string {
  return `(${word} = '' OR instr(words, ${word}) OR session_number IN (
        SELECT session_number FROM sessions WHERE instr(lower(json ->> '$.title'), ${word})))`;
}

export const ANSWER_STATEMENTS = {
  insertAnswer: `
      INSERT INTO answers (
        place, interaction_number, session_number, person, agent, tool, action, words
      )
      SELECT coalesce((
          SELECT max(place) + 1 FROM answers WHERE place >= ?1 << 20 AND place < (?1 + 1) << 20
        ), ?1 << 20), interaction_number, session_number, ?4, coalesce((
          SELECT json ->> '$.agent' FROM sessions
          WHERE sessions.session_number = interactions.session_number
        ), ''), ?5, ?6, ?2
      FROM interactions WHERE interaction_id = ?3`,
  noteAnswer: `
      UPDATE interactions SET answer_place = last_insert_rowid() WHERE interaction_id = ?`,
  deleteAnswer: `
      DELETE FROM answers WHERE (place, interaction_number) = (
        SELECT answer_place, interaction_number FROM interactions WHERE interaction_id = ?)`,
  /**
   * Run it before the session's interactions are deleted, which refer to its answers. The place of an answer that was
   * taken back may have been reused for another session's, so the session is compared too.
   */
  deleteAnswers: `
      DELETE FROM answers WHERE session_number = ?1 AND place IN (
        SELECT answer_place FROM interactions WHERE session_number = ?1)`,
  /**
   * Bound after the start place and the row count: 8 words, 4 filter values, the last place to examine, and the keys of
   * a sight.
   */
  listAnswered: `
      SELECT ${ROW}, place >> 20 AS at_ms, place & 1048575 AS number,
        (SELECT json ->> '$.title' FROM sessions WHERE session_number = found.session_number) AS title,
        agent
      FROM (
        SELECT place, interaction_number, agent FROM answers
        WHERE place < (?1 << 20 | ?2) AND place >= (?16 << 20 | ?17)
          AND ${isSeen("?18")} AND ${FOUND}
        ORDER BY place DESC LIMIT ?3
      ) AS answer JOIN interactions AS found USING (interaction_number)
      ORDER BY place DESC`,
  /** The answer a given number of rows further on, unless it is before a given time. */
  answerAfter: `
      SELECT place >> 20 AS at_ms, place & 1048575 AS number FROM answers
      WHERE place < (?1 << 20 | ?2) AND place >= ?3 << 20 ORDER BY place DESC LIMIT 1 OFFSET ?4`,
  listAnsweredNames: `
      SELECT DISTINCT person, agent, tool FROM (
        SELECT session_number, person, agent, tool FROM answers ORDER BY place DESC LIMIT ?1
      ) AS newest WHERE ${isSeen("?2")}`,
};

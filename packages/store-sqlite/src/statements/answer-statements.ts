import { MAX_HISTORY_WORDS } from "@holdpoint/protocol";

import { isSeen } from "../seen.ts";
import { ROW } from "./columns.ts";

const SEARCHED_WORDS = Array.from({ length: MAX_HISTORY_WORDS }, (_, index) => `?${index + 4}`);
/** The values of a filter come behind the words. One that is null fits all. */
const FILTERED = ["person", "agent", "tool", "action"].map(
  (column, index) => `(?${index + 12} IS NULL OR ${column} = ?${index + 12})`,
);
const FOUND = [...FILTERED, ...SEARCHED_WORDS.map(hasWord)].join(" AND ");

/** A word that is empty is found everywhere. */
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
   * Before the interactions of the session are deleted, which say where its answers are. The place of an answer that was
   * taken back may be that of another one by now.
   */
  deleteAnswers: `
      DELETE FROM answers WHERE session_number = ?1 AND place IN (
        SELECT answer_place FROM interactions WHERE session_number = ?1)`,
  /**
   * Behind the place to begin at and the number of rows: 8 words, 4 values of a filter, the last place to look at, and the keys
   * of a sight.
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
  /** So many answers further on, but for those before an instant. */
  answerAfter: `
      SELECT place >> 20 AS at_ms, place & 1048575 AS number FROM answers
      WHERE place < (?1 << 20 | ?2) AND place >= ?3 << 20 ORDER BY place DESC LIMIT 1 OFFSET ?4`,
  listAnsweredNames: `
      SELECT DISTINCT person, agent, tool FROM (
        SELECT session_number, person, agent, tool FROM answers ORDER BY place DESC LIMIT ?1
      ) AS newest WHERE ${isSeen("?2")}`,
};

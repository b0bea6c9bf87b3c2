/** SQL shared by statements of several tables. */

/** A log has the 2^32 places of its session number; `seq` starts at 1. */
export const LAST_SEQ = `
  coalesce((
    SELECT max(place) FROM events
    WHERE place > session_number << 32 AND place < (session_number + 1) << 32
  ) & 4294967295, 0)`;

/** A session's id is bound after it. */
export const IN_SESSION =
  "session_number = (SELECT session_number FROM sessions WHERE session_id = ?)";

export const ROW = `
  status, hold, json, coalesce(request, (
    SELECT json FROM events WHERE place = (session_number << 32) + request_seq
  )) AS request`;

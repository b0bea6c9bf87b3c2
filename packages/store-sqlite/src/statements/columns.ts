/** What statements of several tables have in common. */

/** Places of one log are the session number's 2^32 integers; `seq` starts at 1. */
export const LAST_SEQ = `
  coalesce((
    SELECT max(place) FROM events
    WHERE place > session_number << 32 AND place < (session_number + 1) << 32
  ) & 4294967295, 0)`;

/** Behind it, the id of a session is bound. */
export const IN_SESSION =
  "session_number = (SELECT session_number FROM sessions WHERE session_id = ?)";

/** The columns of an `InteractionRow`. */
export const ROW = `
  status, hold, json, coalesce(request, (
    SELECT json FROM events WHERE place = (session_number << 32) + request_seq
  )) AS request`;

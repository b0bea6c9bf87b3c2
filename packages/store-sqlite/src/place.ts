/** The number of places in one log. `seq` starts at 1. */
const LOG_LENGTH = 2 ** 32;

/** The key of an event, a safe integer for session numbers below 2^21. Any `seq` stays within its own log. */
export function placeOf(sessionNumber: number, seq: number): number {
  return sessionNumber * LOG_LENGTH + Math.min(Math.max(seq, 0), LOG_LENGTH);
}

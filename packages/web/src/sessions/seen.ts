import type { Session } from "@holdpoint/protocol";

/** The most sessions that are remembered individually. */
const MAX_SESSIONS = 500;

/** Which turns a person has looked at on this device. */
export interface Seen {
  /** Turns that ended by this time count as seen. */
  readonly since: string;
  /** The end of the last turn that was looked at, by session. */
  readonly ends: Readonly<Record<string, string>>;
}

type Ended = Pick<Session, "sessionId" | "lastEndedAt">;

/** The initial record of a device, for which all existing turns count as seen. */
export function beginSeen(sessions: readonly Ended[]): Seen {
  const since = sessions.reduce((newest, { lastEndedAt = "" }) => later(newest, lastEndedAt), "");
  return { since, ends: {} };
}

/** Whether a turn of the session has ended that has not been looked at on this device. */
export function isUnread({ since, ends }: Seen, { sessionId, lastEndedAt = "" }: Ended): boolean {
  return lastEndedAt > since && lastEndedAt > (ends[sessionId] ?? "");
}

/** Marks a session as seen. Returns the same object if it was not unread. */
export function withLook(seen: Seen, session: Ended): Seen {
  if (!isUnread(seen, session) || session.lastEndedAt === undefined) return seen;
  return shorten({ ...seen, ends: { ...seen.ends, [session.sessionId]: session.lastEndedAt } });
}

/** Parses a device's record; `undefined` if it is invalid. */
export function parseSeen(text: string | undefined): Seen | undefined {
  try {
    const { since, ends } = JSON.parse(text ?? "") as Partial<Seen>;
    if (typeof since !== "string" || typeof ends !== "object" || ends === null) return undefined;
    const sound = Object.entries(ends).filter(([, end]) => typeof end === "string");
    return { since, ends: Object.fromEntries(sound) };
  } catch {
    return undefined;
  }
}

/** If there are too many sessions, merges the oldest half into `since`. */
function shorten({ since, ends }: Seen): Seen {
  const entries = Object.entries(ends).toSorted(([, one], [, other]) => (one < other ? -1 : 1));
  if (entries.length <= MAX_SESSIONS) return { since, ends };
  const gone = entries.splice(0, MAX_SESSIONS / 2);
  return { since: later(since, gone.at(-1)?.[1] ?? ""), ends: Object.fromEntries(entries) };
}

function later(one: string, other: string): string {
  return one < other ? other : one;
}

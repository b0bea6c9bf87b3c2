import type { Session } from "@holdpoint/protocol";

/** More sessions than these are not remembered each by itself. */
const MAX_SESSIONS = 500;

/** Up to where a person has looked at sessions on this device. */
export interface Seen {
  /** What ended until then counts as seen, whatever it was. */
  readonly since: string;
  /** By session: the end of the turn that was looked at last. */
  readonly ends: Readonly<Record<string, string>>;
}

type Ended = Pick<Session, "sessionId" | "lastEndedAt">;

/** A device that begins now has seen all that there is. */
export function beginSeen(sessions: readonly Ended[]): Seen {
  const since = sessions.reduce((newest, { lastEndedAt = "" }) => later(newest, lastEndedAt), "");
  return { since, ends: {} };
}

/** Whether a turn of the session has ended that nobody has looked at here. */
export function isUnread({ since, ends }: Seen, { sessionId, lastEndedAt = "" }: Ended): boolean {
  return lastEndedAt > since && lastEndedAt > (ends[sessionId] ?? "");
}

/** The same object when nothing in it was unread. */
export function withLook(seen: Seen, session: Ended): Seen {
  if (!isUnread(seen, session) || session.lastEndedAt === undefined) return seen;
  return shorten({ ...seen, ends: { ...seen.ends, [session.sessionId]: session.lastEndedAt } });
}

/** What a device has kept; `undefined` for what cannot be read. */
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

/** The oldest half of too many goes into `since`. */
function shorten({ since, ends }: Seen): Seen {
  const entries = Object.entries(ends).toSorted(([, one], [, other]) => (one < other ? -1 : 1));
  if (entries.length <= MAX_SESSIONS) return { since, ends };
  const gone = entries.splice(0, MAX_SESSIONS / 2);
  return { since: later(since, gone.at(-1)?.[1] ?? ""), ends: Object.fromEntries(entries) };
}

function later(one: string, other: string): string {
  return one < other ? other : one;
}

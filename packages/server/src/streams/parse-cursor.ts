import { type Cursor, ProtocolError } from "@holdpoint/protocol";

/**
 * Returns a stream's cursor: `Last-Event-ID` (`<epoch>.<seq>`) from a reconnecting reader takes precedence over
 * `after`. Throws `BAD_REQUEST` for an id that no gateway issued.
 */
export function parseCursor(lastEventId: string | undefined, after: number | undefined): Cursor {
  if (lastEventId === undefined || lastEventId === "") return { seq: after ?? 0 };
  const { epoch, seq } = /^(?<epoch>.{1,256})\.(?<seq>\d{1,15})$/.exec(lastEventId)?.groups ?? {};
  if (epoch === undefined || seq === undefined) {
    throw new ProtocolError("BAD_REQUEST", "Last-Event-ID is not the id of an event.");
  }
  return { epoch, seq: Number(seq) };
}

import { type ChainedEvent, chainKey, type StoredSession } from "@holdpoint/engine";

/** The version of the export format, described in `guides/audit.md`. No line contains a line break. */
export const AUDIT_FORMAT = 1;

export interface ExportFacts {
  readonly epoch: string;
  readonly exportedAt: string;
  /** Whether the export includes all sessions of the store. */
  readonly isWhole: boolean;
}

export function exportLine({ epoch, exportedAt, isWhole }: ExportFacts): string {
  return JSON.stringify({
    type: "export",
    format: AUDIT_FORMAT,
    epoch,
    exportedAt,
    whole: isWhole,
  });
}

export function sessionLine(session: StoredSession): string {
  const { sessionId, agent, cwd, title, createdAt, lastSeq } = session;
  return JSON.stringify({
    type: "session",
    sessionId,
    key: chainKey(sessionId),
    agent,
    cwd,
    title,
    createdAt,
    events: lastSeq,
  });
}

/** Contains the event's stored text byte for byte. */
export function eventLine({ seq, hash, json }: ChainedEvent): string {
  return `{"type":"event","seq":${seq},"hash":"${hash}","event":${json}}`;
}

const EVENT_LINE =
  /^\{"type":"event","seq":(?<seq>[1-9]\d{0,15}),"hash":"(?<hash>[\da-f]{64})","event":(?<json>\{.*\})\}$/su;

/** `undefined` for any other line. */
export function parseEventLine(line: string): ChainedEvent | undefined {
  const { seq, hash, json } = EVENT_LINE.exec(line)?.groups ?? {};
  if (seq === undefined || hash === undefined || json === undefined) return undefined;
  return { seq: Number(seq), hash, json };
}

export function headLine(head: {
  readonly sessionId: string;
  readonly seq: number;
  readonly hash: string;
}): string {
  const { sessionId, seq, hash } = head;
  return JSON.stringify({ type: "head", sessionId, seq, hash });
}

/** `sha256` covers all previous lines, with their line breaks. */
export function endLine(lines: number, sha256: string): string {
  return JSON.stringify({ type: "end", lines, sha256 });
}

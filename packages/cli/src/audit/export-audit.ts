import { createHash } from "node:crypto";

import { type AuditSource, CHAIN_START, StoreError, type StoredSession } from "@holdpoint/engine";

import { endLine, eventLine, exportLine, headLine, sessionLine } from "./audit-lines.ts";
import { InteractionRecords } from "./interaction-records.ts";

/** Which sessions are exported; each is exported whole. */
export interface AuditFilter {
  readonly sessionId?: string;
  /** Only sessions whose log overlaps this time, in milliseconds since the epoch. */
  readonly sinceMs?: number;
  readonly untilMs?: number;
}

/** Totals of an export. */
export interface ExportSums {
  sessions: number;
  events: number;
  /** Digest of the file before its last line, which identifies the file. */
  sha256: string;
}

/** The lines of an export, with their line breaks. Holds one event at a time in memory. */
export async function* exportAudit(
  source: AuditSource,
  filter: AuditFilter,
  { exportedAt, sums }: { readonly exportedAt: string; readonly sums: ExportSums },
): AsyncIterable<string> {
  const isWhole = Object.values(filter).every((value) => value === undefined);
  const hash = createHash("sha256");
  let count = 0;
  const line = (text: string): string => {
    count += 1;
    hash.update(`${text}\n`);
    return `${text}\n`;
  };
  yield line(exportLine({ epoch: source.epoch, exportedAt, isWhole }));
  for await (const session of source.sessions()) {
    if (!(await isAskedFor(source, session, filter))) continue;
    sums.sessions += 1;
    sums.events += session.lastSeq;
    for await (const text of linesOf(source, session)) yield line(text);
  }
  if (filter.sessionId !== undefined && sums.sessions === 0) {
    throw new StoreError("STORE_FAILED", `There is no session ${filter.sessionId}.`);
  }
  sums.sha256 = hash.digest("hex");
  yield `${endLine(count, sums.sha256)}\n`;
}

async function* linesOf(source: AuditSource, session: StoredSession): AsyncIterable<string> {
  const records = new InteractionRecords(session);
  const head = { sessionId: session.sessionId, seq: 0, hash: CHAIN_START };
  yield sessionLine(session);
  for await (const event of source.events(session.sessionId, 0)) {
    yield eventLine(event);
    yield* records.add(event);
    head.seq = event.seq;
    head.hash = event.hash;
  }
  yield* records.end();
  yield headLine(head);
}

async function isAskedFor(
  source: AuditSource,
  session: StoredSession,
  { sessionId, sinceMs, untilMs }: AuditFilter,
): Promise<boolean> {
  if (sessionId !== undefined && session.sessionId !== sessionId) return false;
  if (untilMs !== undefined && Date.parse(session.createdAt) >= untilMs) return false;
  if (sinceMs === undefined) return true;
  return (await lastAtMs(source, session)) >= sinceMs;
}

/** The time of a log's last event or of its session's last change, whichever is later. */
async function lastAtMs(
  source: AuditSource,
  { sessionId, lastSeq, updatedAt }: StoredSession,
): Promise<number> {
  for await (const { json } of source.events(sessionId, lastSeq - 1)) {
    const { at } = JSON.parse(json) as { at: string };
    return Math.max(Date.parse(at), Date.parse(updatedAt));
  }
  return Date.parse(updatedAt);
}

import { createHash, hash } from "node:crypto";

import { CHAIN_START, chainKey, chainText } from "@holdpoint/engine";

import { AUDIT_FORMAT, endLine, headLine, parseEventLine } from "./audit-lines.ts";
import { InteractionRecords } from "./interaction-records.ts";
import { readLines } from "./read-lines.ts";

/** Summary of a file that was verified completely. */
export interface Verified {
  /** Whether the export includes all sessions of the store. */
  readonly isWhole: boolean;
  readonly sessions: number;
  readonly events: number;
  readonly sha256: string;
}

/** A defect of an exported file. */
export class AuditProblem extends Error {
  override readonly name = "AuditProblem";
}

export interface Head {
  readonly sessionId: string;
  readonly seq: number;
  readonly hash: string;
}

export interface VerifyOptions {
  /** Called with the hash of each event. */
  readonly onHash?: (hash: string) => void;
  /** Called with the last event of each session. */
  readonly onHead?: (head: Head) => void;
}

interface Log {
  readonly sessionId: string;
  readonly key: string;
  readonly events: number;
  readonly records: InteractionRecords;
  /** The lines that must come next. */
  due: string[];
  seq: number;
  hash: string;
}

/**
 * Reads an export completely. Throws `AuditProblem` if any byte has changed since the export. Holds one line at a time
 * in memory.
 */
export async function verifyAudit(
  chunks: AsyncIterable<Uint8Array>,
  options: VerifyOptions = {},
): Promise<Verified> {
  const reading = new Reading(options);
  for await (const bytes of readLines(chunks)) reading.take(bytes);
  return reading.end();
}

class Reading {
  readonly #options: VerifyOptions;
  readonly #hash = createHash("sha256");
  readonly #seen = new Set<string>();
  #lines = 0;
  #isWhole = false;
  #sums = { sessions: 0, events: 0 };
  #log: Log | undefined;
  #sha256: string | undefined;

  constructor(options: VerifyOptions) {
    this.#options = options;
  }

  take(bytes: Buffer): void {
    if (this.#sha256 !== undefined) throw this.#problem("comes after the end");
    const line = toText(bytes);
    if (line === undefined) throw this.#problem("is not a whole line of UTF-8");
    if (line.startsWith('{"type":"end"')) return this.#takeEnd(line);
    this.#lines += 1;
    this.#hash.update(bytes);
    if (this.#lines === 1) return this.#takeExport(line);
    if (this.#log) return this.#takeOfLog(line, this.#log);
    this.#takeSession(line);
  }

  end(): Verified {
    const sha256 = this.#sha256;
    if (sha256 === undefined) {
      throw new AuditProblem("The file has no end: a part of it is missing.");
    }
    return { isWhole: this.#isWhole, ...this.#sums, sha256 };
  }

  #takeExport(line: string): void {
    const { type, format, whole } = this.#parse(line);
    if (type !== "export") throw this.#problem("does not begin an export");
    if (format !== AUDIT_FORMAT) {
      throw this.#problem(`is of format ${String(format)}, which this release does not know`);
    }
    this.#isWhole = whole === true;
  }

  #takeSession(line: string): void {
    const { type, sessionId, key, agent, events } = this.#parse(line);
    const isSession =
      type === "session" && typeof sessionId === "string" && typeof agent === "string";
    if (!isSession || typeof events !== "number") {
      throw this.#problem("does not begin a session");
    }
    if (key !== chainKey(sessionId)) throw this.#problem("has a key of another session");
    if (this.#seen.has(sessionId)) throw this.#problem("begins a session for the second time");
    this.#seen.add(sessionId);
    this.#sums.sessions += 1;
    const records = new InteractionRecords({ sessionId, agent });
    const start = { due: [], seq: 0, hash: CHAIN_START };
    this.#log = { sessionId, key, events, records, ...start };
    if (events === 0) this.#expectHead(this.#log);
  }

  #takeOfLog(line: string, log: Log): void {
    const due = log.due.shift();
    if (due !== undefined) {
      if (line !== due) throw this.#problem("does not match the events");
      if (log.seq === log.events && log.due.length === 0) this.#log = undefined;
      return;
    }
    const event = parseEventLine(line);
    if (!event) throw this.#problem("is not an event");
    const { seq, json } = event;
    if (seq !== log.seq + 1) throw this.#problem(`has event ${seq}, not ${log.seq + 1}`);
    const text = chainText({ previous: log.hash, key: log.key, seq, json });
    if (hash("sha256", text) !== event.hash) {
      throw this.#problem("does not match the lines before it");
    }
    this.#sums.events += 1;
    this.#options.onHash?.(event.hash);
    Object.assign(log, { seq, hash: event.hash });
    log.due = this.#recordsOf(log, event);
    if (seq === log.events) this.#expectHead(log);
  }

  #recordsOf(log: Log, event: { readonly hash: string; readonly json: string }): string[] {
    try {
      return log.records.add(event);
    } catch {
      throw this.#problem("has an invalid event");
    }
  }

  #expectHead(log: Log): void {
    const { sessionId, seq, hash } = log;
    this.#options.onHead?.({ sessionId, seq, hash });
    log.due.push(...log.records.end(), headLine({ sessionId, seq, hash }));
  }

  #takeEnd(line: string): void {
    if (this.#log) throw this.#problem("ends the file in the middle of a session");
    const sha256 = this.#hash.digest("hex");
    if (line !== endLine(this.#lines, sha256)) {
      throw this.#problem("has another hash than the lines before it: one of them was changed");
    }
    this.#sha256 = sha256;
  }

  #parse(line: string): Record<string, unknown> {
    try {
      const value: unknown = JSON.parse(line);
      if (typeof value === "object" && value !== null) return { ...value };
    } catch {
      // Handled below.
    }
    throw this.#problem("is not a JSON object");
  }

  #problem(what: string): AuditProblem {
    const number = this.#lines + (this.#sha256 === undefined ? 0 : 2);
    return new AuditProblem(`Line ${Math.max(number, 1)} ${what}.`);
  }
}

/** The line without its line break; `undefined` if the line break is missing or the bytes are not UTF-8. */
function toText(bytes: Buffer): string | undefined {
  if (bytes.at(-1) !== 0x0a) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes.subarray(0, -1));
  } catch {
    return undefined;
  }
}

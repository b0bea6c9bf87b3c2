import { createReadStream, createWriteStream, existsSync, renameSync, rmSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { type AuditSource, StoreError } from "@holdpoint/engine";

import { exportAudit } from "../audit/export-audit.ts";
import { AuditProblem, verifyAudit } from "../audit/verify-audit.ts";
import { UsageError } from "../usage-error.ts";
import { missing, usageOf } from "../usage.ts";

export interface AuditOptions {
  readonly words: readonly string[];
  readonly dataDir: string;
  /** The address of a database. Absent: the store is in the data folder. */
  readonly store?: string | undefined;
  readonly session?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly out?: string | undefined;
  /** Hashes that must be in the file. */
  readonly head?: readonly string[] | undefined;
  /** An earlier export, whose heads must be in the file. */
  readonly heads?: string | undefined;
  readonly now: string;
}

/** The command's output. If `isRight` is false, the exit code is 1. */
export interface Audited {
  readonly said: string;
  readonly isRight: boolean;
}

const HEAD = /^[\da-f]{64}$/u;
const DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/u;

/** `holdpoint audit`: exports the logs of a store, or verifies an export. */
export async function audit(options: AuditOptions, output: NodeJS.WriteStream): Promise<Audited> {
  const [what, file, ...rest] = options.words;
  if (what === "export" && file === undefined && !options.head && options.heads === undefined) {
    return exportTo(options, output);
  }
  const isVerify = what === "verify" && file !== undefined && rest.length === 0;
  const { session, since, until, out } = options;
  if (!isVerify || [session, since, until, out].some((flag) => flag !== undefined)) {
    throw toMisuse(what, file);
  }
  return verify(file, options);
}

function toMisuse(what: string | undefined, file: string | undefined): UsageError {
  if (what !== "export" && what !== "verify") return missing("export or verify", "audit");
  if (what === "verify" && file === undefined) return missing("FILE", "audit");
  return new UsageError(`These arguments do not go with ${what}. Usage: ${usageOf("audit")}`);
}

async function exportTo(options: AuditOptions, output: NodeJS.WriteStream): Promise<Audited> {
  const { session, since, until, out, now } = options;
  const filter = {
    ...(session !== undefined && { sessionId: session }),
    ...(since !== undefined && { sinceMs: toMs("since", since) }),
    ...(until !== undefined && { untilMs: toMs("until", until) }),
  };
  if (out === undefined && output.isTTY) {
    throw new UsageError("Missing --out. Add --out FILE, or redirect the output into a file.");
  }
  if (out !== undefined && existsSync(out)) throw new UsageError(`There is already a file ${out}.`);
  await using source = await openSource(options);
  const sums = { sessions: 0, events: 0, sha256: "" };
  const lines = Readable.from(exportAudit(source, filter, { exportedAt: now, sums }));
  if (out === undefined) await pipeline(lines, output, { end: false });
  else await writeWhole(lines, out);
  const said = [
    `Exported ${count(sums.sessions, "session")} with ${count(sums.events, "event")}.`,
    `SHA-256: ${sums.sha256}`,
    "Keep the file, or this hash, out of reach of everyone who can change the store: see guides/audit.md.",
    "",
  ].join("\n");
  return { said, isRight: true };
}

/** Writes to a temporary file first, so that an existing file is always complete. */
async function writeWhole(lines: Readable, out: string): Promise<void> {
  const part = `${out}.part`;
  try {
    await pipeline(lines, createWriteStream(part, { mode: 0o600, flush: true }));
    renameSync(part, out);
  } catch (error: unknown) {
    rmSync(part, { force: true });
    if (StoreError.isInstance(error)) throw error;
    throw new UsageError(`The file ${out} cannot be written (${reasonOf(error)}).`);
  }
}

async function openSource({ dataDir, store }: AuditOptions): Promise<AuditSource> {
  if (store === undefined) {
    const { openSqliteAudit } = await import("@holdpoint/store-sqlite");
    return openSqliteAudit(dataDir);
  }
  const { openPostgresAudit } = await import("@holdpoint/store-postgres");
  return openPostgresAudit(store);
}

async function verify(file: string, { head = [], heads }: AuditOptions): Promise<Audited> {
  const wrong = head.find((hash) => !HEAD.test(hash));
  if (wrong !== undefined) {
    throw new UsageError(`Invalid --head "${wrong}". Use a hash of 64 digits of 0-9a-f.`);
  }
  try {
    // Descriptions of the wanted heads, by their hash.
    const wanted = new Map(head.map((hash) => [hash, "The head"]));
    if (heads !== undefined) {
      await verifyAudit(openFile(heads), {
        onHead: ({ sessionId, seq, hash }) => {
          if (seq > 0) wanted.set(hash, `The head of session ${sessionId} at event ${seq},`);
        },
      }).catch((error: unknown) => {
        if (error instanceof AuditProblem) throw new AuditProblem(`${heads}: ${error.message}`);
        throw error;
      });
    }
    const found = await verifyAudit(openFile(file), {
      onHash: (hash) => void wanted.delete(hash),
    });
    const orLeftOut = found.isWhole ? "." : ", or was not exported.";
    const missing = [...wanted].map(
      ([hash, whose]) =>
        `! ${whose} ${hash} is not in this file: the events it covers were removed or changed${orLeftOut}`,
    );
    const sums = `${count(found.sessions, "session")}, ${count(found.events, "event")}`;
    const said = [
      `${found.isWhole ? "All sessions" : "A part of the sessions"}: ${sums}.`,
      `SHA-256: ${found.sha256}`,
      ...missing,
      missing.length === 0 ? "Each byte is as it was exported." : "",
      "",
    ].join("\n");
    return { said, isRight: missing.length === 0 };
  } catch (error: unknown) {
    if (error instanceof AuditProblem) return { said: `! ${error.message}\n`, isRight: false };
    if (error instanceof Error && "code" in error) {
      throw new UsageError(`The file cannot be read (${reasonOf(error)}).`, { cause: error });
    }
    throw error;
  }
}

function openFile(path: string): AsyncIterable<Uint8Array> {
  return createReadStream(path, { highWaterMark: 1024 * 1024 });
}

function toMs(flag: string, value: string): number {
  const ms = DATE.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(ms)) {
    throw new UsageError(
      `Invalid --${flag} "${value}". Use a time such as 2026-11-24 or 2026-11-24T08:00:00Z.`,
    );
  }
  return ms;
}

function count(number: number, what: string): string {
  return `${number.toLocaleString("en-US")} ${what}${number === 1 ? "" : "s"}`;
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && "code" in error) return String(error.code);
  return "unknown reason";
}

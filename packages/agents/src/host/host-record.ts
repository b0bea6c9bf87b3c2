import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

import { readProcessField } from "./start-program.ts";

/** A process that cannot be taken for another one: process ids are used again. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, as the system says it; undefined where the system does not. */
  readonly startedAt?: string;
}

/** What a host writes down so that the next gateway finds it. Nothing in it is secret. */
export interface HostRecord {
  readonly version: number;
  readonly id: string;
  readonly sessionId: string;
  /** The turn that the agent is in. */
  readonly turnId?: string;
  /** What the gateway before wanted the next one to know of it. */
  readonly note?: string;
  readonly socketPath: string;
  readonly host: ProcessIdentity;
  readonly agent: ProcessIdentity;
  /** All processes of the agent have it in their environment. */
  readonly mark: string;
}

/** Writes a record whole or not at all. */
export function writeRecord(path: string, record: HostRecord): void {
  const next = `${path}.new`;
  writeFileSync(next, JSON.stringify(record), { mode: 0o600 });
  renameSync(next, path);
}

/** Undefined for a file that is gone, or is no record. */
export function readRecord(path: string): HostRecord | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Never throws: a record or socket that stays is of processes that are gone, and the next start removes it. */
export function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The folder is read-only or away.
  }
}

function isRecord(value: unknown): value is HostRecord {
  const { version, id, sessionId, turnId, note, socketPath, host, agent, mark } = toFields(value);
  return (
    typeof version === "number" &&
    [id, sessionId, socketPath, mark].every((text) => typeof text === "string" && text !== "") &&
    [turnId, note].every((text) => text === undefined || typeof text === "string") &&
    [host, agent].every((process) => isIdentity(process))
  );
}

function isIdentity(value: unknown): value is ProcessIdentity {
  const { pid, startedAt } = toFields(value);
  return (
    Number.isSafeInteger(pid) &&
    Number(pid) > 1 &&
    (startedAt === undefined || typeof startedAt === "string")
  );
}

function toFields(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

export function identify(pid: number): ProcessIdentity {
  const startedAt = startOf(pid);
  return { pid, ...(startedAt !== undefined && { startedAt }) };
}

/** Whether exactly this process runs. */
export function isAlive({ pid, startedAt }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0);
  } catch (error: unknown) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  return startedAt === undefined || startOf(pid) === startedAt;
}

/** Undefined for a process that has ended, also one that only waits to be reaped. */
function startOf(pid: number): string | undefined {
  try {
    if (process.platform !== "linux") {
      return readProcessField(pid, "lstart");
    }
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [state, ...fields] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    // Field 22 of the file: ticks since the machine started.
    return state === "Z" ? undefined : `${bootId()} ${fields[18]}`;
  } catch {
    return undefined;
  }
}

function bootId(): string {
  return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
}

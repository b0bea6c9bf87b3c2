import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

import { readProcessField } from "./start-program.ts";

/** A process's identity beyond its process id, since ids are reused. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When the process started, in the system's notation; absent if the system does not report it. */
  readonly startedAt?: string;
}

/** A host's record, by which the next gateway finds it. Must not contain secrets. */
export interface HostRecord {
  readonly version: number;
  readonly id: string;
  readonly sessionId: string;
  /** The agent's current turn. */
  readonly turnId?: string;
  /** The previous gateway's note about the turn for the next one. */
  readonly note?: string;
  /** The permission requests of the agent that have no response yet. A request is removed before its response is handed over. */
  readonly waitingIds?: readonly string[];
  readonly socketPath: string;
  readonly host: ProcessIdentity;
  readonly agent: ProcessIdentity;
  /** A mark in the environment of all processes of the agent. */
  readonly mark: string;
}

/** Writes a record atomically. */
export function writeRecord(path: string, record: HostRecord): void {
  const next = `${path}.new`;
  writeFileSync(next, JSON.stringify(record), { mode: 0o600 });
  renameSync(next, path);
}

/** `undefined` if the file is missing or not a record. */
export function readRecord(path: string): HostRecord | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Never throws: a leftover record or socket belongs to processes that are gone, and the next start removes it. */
export function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The folder is read-only or gone.
  }
}

function isRecord(value: unknown): value is HostRecord {
  const { version, id, sessionId, turnId, note, waitingIds, ...processes } = toFields(value);
  const { socketPath, host, agent, mark } = processes;
  return (
    typeof version === "number" &&
    [id, sessionId, socketPath, mark].every((text) => typeof text === "string" && text !== "") &&
    [turnId, note].every((text) => text === undefined || typeof text === "string") &&
    (waitingIds === undefined || Array.isArray(waitingIds)) &&
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

/** Whether exactly this process is running. */
export function isAlive({ pid, startedAt }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0);
  } catch (error: unknown) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  return startedAt === undefined || startOf(pid) === startedAt;
}

/**
 * Whether this process ran since the machine was started. Files that it wrote are then as it left them, even those that
 * never reached the disk. Known on Linux only.
 */
export function isOfThisBoot({ startedAt }: ProcessIdentity): boolean {
  return process.platform === "linux" && startedAt?.startsWith(`${bootId()} `) === true;
}

/** `undefined` for a process that has ended, including one that is waiting to be reaped. */
function startOf(pid: number): string | undefined {
  try {
    if (process.platform !== "linux") {
      return readProcessField(pid, "lstart");
    }
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [state, ...fields] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    // Field 22 of the file: clock ticks since boot.
    return state === "Z" ? undefined : `${bootId()} ${fields[18]}`;
  } catch {
    return undefined;
  }
}

function bootId(): string {
  return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
}

import type { DatabaseSync, StatementSync } from "node:sqlite";
// `setImmediate` is not used as a timer: it waits for the end of this turn of the event loop.
import { setImmediate } from "node:timers";

import { type Clock, StoreError } from "@holdpoint/engine";

import { storeFailed } from "./database.ts";

/** The result of a unit of work. Unless it is kept, all of its writes are undone. */
export interface Work<T> {
  readonly keep: boolean;
  readonly value: T;
  /** The change in the number of log entries, if it is kept. Default: none. */
  readonly entries?: number;
}

/** Callbacks around each commit. */
export interface CommitHooks {
  /** Called in each transaction to be committed, with the change in the number of log entries. */
  readonly beforeCommit: (entries: number) => void;
  /** Called after each commit. */
  readonly committed: () => void;
  /** Called after each failed commit, of which nothing is on disk. */
  readonly failed: (error: StoreError) => void;
}

interface Job {
  readonly run: () => Work<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: StoreError) => void;
}

type Outcome =
  | { readonly status: "done"; readonly work: Work<unknown> }
  | { readonly status: "failed"; readonly error: StoreError };

interface Committed {
  readonly outcomes: readonly Outcome[];
  /** False when there was nothing to keep. */
  readonly isOnDisk: boolean;
}

const SQLITE_BUSY = 5;
/** How long another program may hold the database before pending writes are rejected. */
const PATIENCE_MS = 10_000;
const RETRY_MS = 20;

/**
 * Runs synchronous units of work in order of submission, those of one turn of the event loop in one transaction, so
 * that they share the wait for the disk. Each is atomic on its own: one that fails or is not kept does not affect the
 * others. Nothing resolves before the transaction is on disk; if that fails, everything is undone and all are rejected
 * with `StoreError`.
 *
 * While another program holds the database, all work waits, for up to ten seconds, without blocking the event loop.
 */
export class GroupCommit {
  readonly #database: DatabaseSync;
  readonly #statements: ReturnType<typeof prepareStatements>;
  readonly #clock: Clock;
  readonly #hooks: CommitHooks;
  #jobs: Job[] = [];
  /** Since when another program has held the database, by the monotonic clock. */
  #busySinceMs: number | undefined;
  #idle = Promise.withResolvers<void>();

  /** The database must be set to fail immediately when another program holds it. */
  constructor(database: DatabaseSync, clock: Clock, hooks: CommitHooks) {
    this.#database = database;
    this.#statements = prepareStatements(database);
    this.#clock = clock;
    this.#hooks = hooks;
  }

  /** Commits at the end of this turn of the event loop, together with everything else submitted in it. */
  submit<T>(run: () => Work<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#jobs.push({ run, resolve: (value) => resolve(value as T), reject });
      // While the database is held, the next retry includes it.
      if (this.#jobs.length === 1) setImmediate(() => this.#flush());
    });
  }

  /** Resolves when all submitted work is committed or rejected. Never rejects. */
  async drain(): Promise<void> {
    this.#idle = Promise.withResolvers();
    if (this.#busySinceMs === undefined) this.#flush();
    if (this.#jobs.length > 0) await this.#idle.promise;
  }

  #flush(): void {
    const jobs = this.#jobs;
    this.#jobs = [];
    if (jobs.length > 0) this.#settle(jobs);
    if (this.#jobs.length === 0) this.#idle.resolve();
  }

  #settle(jobs: readonly Job[]): void {
    let committed: Committed;
    try {
      committed = this.#commit(jobs);
    } catch (error: unknown) {
      if (this.#mayWait(error)) return this.#waitWith(jobs);
      const failure = StoreError.isInstance(error)
        ? (error as StoreError)
        : storeFailed("Writing to the store", error);
      for (const job of jobs) job.reject(failure);
      return this.#hooks.failed(failure);
    }
    const { outcomes, isOnDisk } = committed;
    for (const [index, job] of jobs.entries()) settle(job, outcomes[index]);
    // An error of this hook is not a failure of the commit.
    if (isOnDisk) this.#hooks.committed();
  }

  /**
   * True when another program holds the database, so that none of the work has run, and the time limit is not reached.
   */
  #mayWait(error: unknown): boolean {
    const isBusy = error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
    if (!isBusy || this.#database.isTransaction) {
      this.#busySinceMs = undefined;
      return false;
    }
    this.#busySinceMs ??= this.#clock.monotonic();
    const isTooLong = this.#clock.monotonic() - this.#busySinceMs >= PATIENCE_MS;
    if (isTooLong) this.#busySinceMs = undefined;
    return !isTooLong;
  }

  #waitWith(jobs: readonly Job[]): void {
    this.#jobs = [...jobs, ...this.#jobs];
    this.#clock.after(RETRY_MS, () => this.#flush());
  }

  #commit(jobs: readonly Job[]): Committed {
    const { begin, commit } = this.#statements;
    begin.run();
    this.#busySinceMs = undefined;
    try {
      const [first] = jobs;
      const outcomes =
        first && jobs.length === 1
          ? [this.#runAlone(first)]
          : jobs.map((job) => this.#runBesideOthers(job));
      const kept = outcomes.flatMap((outcome) =>
        outcome.status === "done" && outcome.work.keep ? [outcome.work] : [],
      );
      if (kept.length === 0) {
        this.#rollback();
        return { outcomes, isOnDisk: false };
      }
      this.#hooks.beforeCommit(kept.reduce((sum, { entries = 0 }) => sum + entries, 0));
      commit.run();
      return { outcomes, isOnDisk: true };
    } catch (error: unknown) {
      this.#rollback();
      throw error;
    }
  }

  /** Needs no savepoint, because it is undone with the whole transaction. */
  #runAlone(job: Job): Outcome {
    return { status: "done", work: job.run() };
  }

  #runBesideOthers(job: Job): Outcome {
    const { savepoint, undo, release } = this.#statements;
    savepoint.run();
    let outcome: Outcome;
    try {
      outcome = { status: "done", work: job.run() };
    } catch (error: unknown) {
      // A full disk ends the transaction for all.
      if (!this.#database.isTransaction) throw error;
      outcome = { status: "failed", error: storeFailed("Writing to the store", error) };
    }
    if (outcome.status === "failed" || !outcome.work.keep) undo.run();
    release.run();
    return outcome;
  }

  /** Some failures have already rolled back. */
  #rollback(): void {
    if (this.#database.isTransaction) this.#statements.rollback.run();
  }
}

function settle(job: Job, outcome: Outcome | undefined): void {
  if (outcome?.status === "done") job.resolve(outcome.work.value);
  else job.reject(outcome?.error ?? storeFailed("Writing to the store", undefined));
}

function prepareStatements(
  database: DatabaseSync,
): Record<"begin" | "commit" | "rollback" | "savepoint" | "undo" | "release", StatementSync> {
  return {
    begin: database.prepare("BEGIN IMMEDIATE"),
    commit: database.prepare("COMMIT"),
    rollback: database.prepare("ROLLBACK"),
    savepoint: database.prepare("SAVEPOINT job"),
    undo: database.prepare("ROLLBACK TO job"),
    release: database.prepare("RELEASE job"),
  };
}

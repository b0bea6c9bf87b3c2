import type { DatabaseSync, StatementSync } from "node:sqlite";
// Not a timer: it only waits for the end of this turn of the event loop.
import { setImmediate } from "node:timers";

import type { StoreError } from "@holdpoint/engine";

import { storeFailed } from "./database.ts";

/** The result of a unit of work. Unless it is kept, everything that it wrote is undone. */
export interface Work<T> {
  readonly keep: boolean;
  readonly value: T;
}

interface Job {
  readonly run: () => Work<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: StoreError) => void;
}

type Outcome =
  | { readonly status: "done"; readonly work: Work<unknown> }
  | { readonly status: "failed"; readonly error: StoreError };

/**
 * Runs synchronous units of work in the order of their submission, those of one turn of the event loop in one
 * transaction, so that they share the wait for the disk. Each is atomic by itself: one that is not kept, or fails,
 * leaves its neighbours alone. Nothing resolves before the transaction is on disk; if that fails, all of it is undone and
 * all are rejected with `StoreError`.
 */
export class GroupCommit {
  readonly #database: DatabaseSync;
  readonly #statements: ReturnType<typeof prepareStatements>;
  readonly #onCommitted: () => void;
  #jobs: Job[] = [];

  /** Calls `onCommitted` after each commit that wrote something; it must not throw. */
  constructor(database: DatabaseSync, onCommitted: () => void) {
    this.#database = database;
    this.#statements = prepareStatements(database);
    this.#onCommitted = onCommitted;
  }

  /** Commits at the end of this turn of the event loop, with all else that was submitted in it. */
  submit<T>(run: () => Work<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#jobs.push({ run, resolve: (value) => resolve(value as T), reject });
      if (this.#jobs.length === 1) setImmediate(() => this.flush());
    });
  }

  /** Commits all submitted work now. */
  flush(): void {
    const jobs = this.#jobs;
    if (jobs.length === 0) return;
    this.#jobs = [];
    let outcomes: Outcome[];
    try {
      outcomes = this.#commit(jobs);
    } catch (error: unknown) {
      const failure = storeFailed("Writing to the store", error);
      for (const job of jobs) job.reject(failure);
      return;
    }
    for (const [index, job] of jobs.entries()) settle(job, outcomes[index]);
  }

  #commit(jobs: readonly Job[]): Outcome[] {
    const { begin, commit } = this.#statements;
    begin.run();
    try {
      const [first] = jobs;
      const outcomes =
        first && jobs.length === 1
          ? [this.#runAlone(first)]
          : jobs.map((job) => this.#runBesideOthers(job));
      if (!outcomes.some((outcome) => outcome.status === "done" && outcome.work.keep)) {
        this.#rollback();
        return outcomes;
      }
      commit.run();
      this.#onCommitted();
      return outcomes;
    } catch (error: unknown) {
      this.#rollback();
      throw error;
    }
  }

  /** Needs no savepoint: it is undone with the whole transaction. */
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
      // A full disk ends the transaction of all.
      if (!this.#database.isTransaction) throw error;
      outcome = { status: "failed", error: storeFailed("Writing to the store", error) };
    }
    if (outcome.status === "failed" || !outcome.work.keep) undo.run();
    release.run();
    return outcome;
  }

  /** Some failures have rolled back already. */
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

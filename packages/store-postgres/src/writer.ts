// `setImmediate` is not used as a timer: it waits for the end of this turn of the event loop.
import { setImmediate } from "node:timers";

import { type Clock, StoreError } from "@holdpoint/engine";
import { type Backoff, backoffMs } from "@holdpoint/protocol";

import { codeOf, describeFailure, storeFailed } from "./database-error.ts";
import type { History } from "./history.ts";
import type { WriterConnection } from "./writer-connection.ts";

/** The most calls per write, and the most UTF-16 units unless a single call is larger. */
const MAX_CALLS = 64;
const MAX_UNITS = 16 * 1024 * 1024;
/** How long the database may be unavailable before waiting calls are rejected. */
const PATIENCE_MS = 5000;
/** Without an answer for this long the database counts as unavailable, even if the connection lives. */
const STALL_MS = 10_000;
/** How long closing waits for running writes. */
const CLOSING_LIMIT_MS = 3000;
const BACKOFF: Backoff = { firstMs: 50, longestMs: 2000, factor: 2 };
/** Error code of `write_all`: another gateway has written, or the history was moved. */
const FENCED = "HP002";

/** A call of a function `write_…`. It is serialised when it is submitted, so that later changes have no effect. */
export interface Call {
  readonly call: string;
  readonly with: unknown;
}

interface Job {
  readonly text: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: StoreError) => void;
}

/** A sent write whose outcome is unknown. */
interface Flight {
  readonly generation: number;
  readonly jobs: readonly Job[];
}

export interface WriterOptions {
  readonly clock: Clock;
  /** The id of this gateway in the database. */
  readonly owner: string;
  readonly epoch: string;
  readonly generation: number;
  readonly connection: WriterConnection;
  /** Reconnects. Rejects with `StoreError`. */
  readonly connect: (signal: AbortSignal) => Promise<WriterConnection>;
  /** Aborts with a `StoreError` when this gateway must stop writing. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each write, with its number. Must not throw. */
  readonly onWritten: (generation: number) => void;
  /** Called when the database becomes unavailable, and when it is back. */
  readonly onProblem: (problem: string) => void;
  /** Called when writing is no longer possible until a restart. */
  readonly onLost: (error: StoreError) => void;
}

/**
 * Writes calls in order of submission through a single connection, which holds the writer lock. Calls that arrive while
 * a write is running are sent together in the next one: each is atomic on its own, and all share a round trip and a
 * wait for the disk. Nothing resolves before it is committed, and nothing rejects while it might be.
 *
 * Each write has a number, and the database stores the number and results of the last one. So when a connection breaks,
 * the next one finds out what happened: it gets the lock only after the database has ended the old connection and any
 * write on it. Calls that were not written are sent again.
 *
 * While the database is unavailable, calls wait some seconds and are then rejected. Calls that were already sent wait
 * until their outcome is known.
 */
export class Writer implements AsyncDisposable {
  readonly #options: WriterOptions;
  readonly #stop = new AbortController();
  #connection: WriterConnection | undefined;
  #generation: number;
  #jobs: Job[] = [];
  #flight: Flight | undefined;
  #awaySince: number | undefined;
  #awayReason = "the connection was lost";
  /** True when a write has been running too long, so that the database counts as unavailable. */
  #isStalled = false;
  #lost: StoreError | undefined;
  #idle: (() => void) | undefined;
  #reconnecting: Promise<void> | undefined;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#generation = options.generation;
    this.#use(options.connection);
    const { signal } = options;
    const lose = (): void => this.#lose(signal?.reason as StoreError, { isUnwritten: false });
    if (signal?.aborted) lose();
    else signal?.addEventListener("abort", lose, { signal: this.#stop.signal });
  }

  /** The reason why writing is no longer possible. */
  get lost(): StoreError | undefined {
    return this.#lost;
  }

  submit(call: Call): Promise<unknown> {
    const text = JSON.stringify(call);
    return new Promise((resolve, reject) => {
      const problem = this.#lost ?? this.#overdue();
      if (problem) return reject(problem);
      this.#jobs.push({ text, resolve, reject });
      if (this.#jobs.length === 1) setImmediate(() => void this.#flush());
    });
  }

  /** Resolves when all submitted calls are written or rejected. */
  async drain(): Promise<void> {
    if (this.#jobs.length === 0 && !this.#flight) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#idle = resolve;
    if (this.#awaySince === undefined) void this.#flush();
    await promise;
  }

  /** Writes the submitted calls if the database is available, and releases the lock. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { signal } = this.#stop;
    const limit = this.#options.clock.sleep(CLOSING_LIMIT_MS, { signal }).catch(() => undefined);
    if (this.#awaySince === undefined) await Promise.race([this.drain(), limit]);
    this.#stop.abort();
    await this.#reconnecting;
    for (const job of this.#flight?.jobs ?? []) job.reject(unknownOutcome());
    for (const job of this.#jobs) job.reject(this.#away());
    this.#flight = undefined;
    this.#jobs = [];
    await this.#connection?.close();
    this.#connection = undefined;
  }

  async #flush(): Promise<void> {
    if (this.#flight || !this.#connection || this.#jobs.length === 0) return;
    const jobs = this.#takeJobs();
    const flight = { generation: this.#generation + 1, jobs };
    this.#flight = flight;
    const calls = `[${jobs.map(({ text }) => text).join(",")}]`;
    const { owner, clock } = this.#options;
    const patience = clock.after(STALL_MS, () => this.#stall());
    try {
      const results = await this.#connection.write(owner, flight.generation, calls);
      this.#settle(flight, results);
    } catch (error: unknown) {
      await this.#findOut(flight, error);
    } finally {
      patience[Symbol.dispose]();
    }
  }

  /** Handles a connection that neither answers nor ends: the server hangs, or the network fails silently. */
  #stall(): void {
    if (this.#awaySince !== undefined || this.#stop.signal.aborted) return;
    this.#isStalled = true;
    this.#awaySince = this.#options.clock.monotonic() - PATIENCE_MS;
    this.#awayReason = "no answer in time";
    this.#giveUpWaiting();
    this.#options.onProblem(this.#away().message);
  }

  #endStall(): void {
    if (!this.#isStalled) return;
    this.#isStalled = false;
    this.#awaySince = undefined;
    this.#options.onProblem("The database is back.");
  }

  #takeJobs(): Job[] {
    let units = 0;
    const end = this.#jobs.findIndex(({ text }, index) => {
      units += text.length;
      return index === MAX_CALLS || (index > 0 && units > MAX_UNITS);
    });
    return this.#jobs.splice(0, end === -1 ? this.#jobs.length : end);
  }

  #settle(flight: Flight, results: readonly unknown[]): void {
    if (this.#flight !== flight) return;
    const { generation, jobs } = flight;
    this.#generation = generation;
    this.#flight = undefined;
    this.#options.onWritten(generation);
    if (this.#connection) this.#endStall();
    for (const [index, job] of jobs.entries()) settleJob(job, results[index]);
    this.#goOn();
  }

  #goOn(): void {
    if (this.#jobs.length > 0) void this.#flush();
    else if (!this.#flight) this.#idle?.();
  }

  /**
   * Handles a failed write. If the connection is still alive, the write was rolled back. Otherwise the next connection
   * finds out.
   */
  async #findOut(flight: Flight, error: unknown): Promise<void> {
    const connection = this.#connection;
    if (!connection || this.#flight !== flight) return; // The next connection finds out.
    try {
      const history = await connection.readHistory();
      if (codeOf(error) === FENCED) {
        return this.#lose(this.#whyLost(history), { isUnwritten: true });
      }
      if (!this.#land(history)) return;
      if (this.#flight !== flight) return;
      this.#flight = undefined;
      this.#endStall();
      const failure = storeFailed("Writing to the database", error);
      for (const job of flight.jobs) job.reject(failure);
      this.#goOn();
    } catch {
      if (this.#connection === connection) this.#leave(describeFailure(error));
    }
  }

  /**
   * Compares the history with the last write, and settles the write if it was made. Returns false when the history is
   * no longer this gateway's.
   */
  #land(history: History): boolean {
    const { owner, epoch } = this.#options;
    const isOurs = history.owner === owner && history.epoch === epoch && history.movedTo === null;
    const flight = this.#flight;
    if (isOurs && flight && history.generation === flight.generation) {
      this.#settle(flight, JSON.parse(history.results) as unknown[]);
      return true;
    }
    if (isOurs && history.generation === this.#generation) return true;
    // Its number was never reached. Another history tells nothing about it.
    const isUnwritten = history.epoch === epoch && history.generation <= this.#generation;
    this.#lose(this.#whyLost(history), { isUnwritten });
    return false;
  }

  #whyLost({ owner, epoch, generation, movedTo }: History): StoreError {
    if (movedTo !== null) {
      return new StoreError("STORE_FAILED", `The history was moved to ${movedTo}.`);
    }
    if (epoch === this.#options.epoch && generation < this.#generation) {
      return new StoreError(
        "HISTORY_LOST",
        `The database is older than it was: its last ${(this.#generation - generation).toLocaleString("en-US")} writes are missing. ` +
          "The gateway stops. Start it again with --accept-loss to continue with the data that is left.",
      );
    }
    const who =
      owner === this.#options.owner
        ? "Another history is in the database"
        : "Another gateway has taken the database";
    return new StoreError(
      "STORE_LOCKED",
      `${who}. This one stops, so that only one of them writes.`,
    );
  }

  /** Stops writing permanently. `isUnwritten`: the running write was certainly not made. */
  #lose(error: StoreError, { isUnwritten }: { readonly isUnwritten: boolean }): void {
    if (this.#lost) return;
    this.#lost = error;
    const ofFlight = isUnwritten ? error : unknownOutcome(error.message);
    for (const job of this.#flight?.jobs ?? []) job.reject(ofFlight);
    for (const job of this.#jobs) job.reject(error);
    this.#flight = undefined;
    this.#jobs = [];
    this.#idle?.();
    this.#options.onLost(error);
  }

  #use(connection: WriterConnection): void {
    this.#connection = connection;
    connection.onEnd(() => this.#leave("the connection was lost"));
  }

  #leave(reason: string): void {
    const connection = this.#connection;
    this.#connection = undefined;
    void connection?.close();
    if (this.#stop.signal.aborted || this.#lost) return;
    this.#awaySince ??= this.#options.clock.monotonic();
    this.#awayReason = reason;
    this.#reconnecting ??= this.#reconnect().finally(() => {
      this.#reconnecting = undefined;
      // The connection may have been lost again immediately.
      if (!this.#connection) this.#leave(this.#awayReason);
    });
  }

  /** Retries until it succeeds, or the writer is closed or lost. Never rejects. */
  async #reconnect(): Promise<void> {
    const { clock, onProblem } = this.#options;
    const { signal } = this.#stop;
    let isSaid = this.#isStalled;
    this.#isStalled = false;
    for (let waits = 0; !signal.aborted && !this.#lost; waits += 1) {
      if (await this.#tryToConnect()) {
        if (isSaid) onProblem("The database is back.");
        return this.#goOn();
      }
      if (!isSaid && this.#giveUpWaiting()) {
        isSaid = true;
        onProblem(this.#away().message);
      }
      await clock.sleep(backoffMs(waits, BACKOFF), { signal }).catch(() => undefined);
    }
  }

  async #tryToConnect(): Promise<boolean> {
    let connection: WriterConnection | undefined;
    try {
      connection = await this.#options.connect(this.#stop.signal);
      const history = await connection.readHistory();
      if (this.#land(history)) {
        this.#takeOver(connection);
        return true;
      }
    } catch (error: unknown) {
      this.#awayReason = describeFailure(error);
      if (error instanceof StoreError && error.code === "STORE_LOCKED") {
        this.#lose(error, { isUnwritten: false });
      }
    }
    await connection?.close();
    return false;
  }

  /**
   * Continues with a new connection, which holds the lock, so the outcome of the running write is final. If it was not
   * made, its calls are sent again, or rejected after the time limit.
   */
  #takeOver(connection: WriterConnection): void {
    const unwritten = this.#flight?.jobs ?? [];
    const problem = this.#overdue();
    if (problem) for (const job of unwritten) job.reject(problem);
    else this.#jobs.unshift(...unwritten);
    this.#flight = undefined;
    this.#awaySince = undefined;
    this.#use(connection);
  }

  /** Rejects unsent calls once the database has been unavailable for too long. */
  #giveUpWaiting(): boolean {
    const problem = this.#overdue();
    if (!problem) return false;
    const jobs = this.#jobs;
    this.#jobs = [];
    for (const job of jobs) job.reject(problem);
    return true;
  }

  #overdue(): StoreError | undefined {
    if (this.#awaySince === undefined) return undefined;
    const awayMs = this.#options.clock.monotonic() - this.#awaySince;
    return awayMs < PATIENCE_MS ? undefined : this.#away();
  }

  #away(): StoreError {
    const reason = this.#awayReason.replace(/\.$/u, "");
    return new StoreError("STORE_FAILED", `The database is unavailable (${reason}).`);
  }
}

/** The error when the store ends with an unknown outcome: the write may be there at the next start. */
function unknownOutcome(
  message = "The connection to the database was lost in the middle of a write.",
): StoreError {
  const detail = `${message} The next start shows whether the write was made.`;
  return new StoreError("OUTCOME_UNKNOWN", detail);
}

function settleJob(job: Job, result: unknown): void {
  const { failed } = (result ?? { failed: "no result" }) as { failed?: string };
  if (failed === undefined) return job.resolve(result);
  const error = Object.assign(new Error("A call failed."), { code: failed });
  job.reject(storeFailed("Writing to the database", error));
}

import { type Clock, StoreError } from "@holdpoint/engine";
import type { Client } from "pg";

import { connect, endAtOnce } from "./connect.ts";
import { describeFailure } from "./database-error.ts";
import type { Mark } from "./history-marker.ts";
import {
  afterAnswer,
  afterTime,
  FIRST_STATE,
  type LeaseRow,
  type LeaseState,
} from "./lease-life.ts";
import { MIGRATIONS } from "./migrations/index.ts";

/** Duration from a renewal on. Another node takes over from a dead one within this time plus one look. */
export const LEASE_MS = 8000;
const RENEW_MS = 2000;
/** How often a standby node reads the lease. */
const LOOK_MS = 1000;
/** Without an answer for this long, the connection counts as broken. */
const ANSWER_LIMIT_MS = 3000;
/**
 * Renews or takes the lease, and returns the schema version. A release that does not know the schema must not take the
 * lease: it could not work, and would keep a newer release from working.
 */
const HOLD = `
  SELECT hold_lease($1, $2, $3, $4, $5, $6 AND version <= ${MIGRATIONS.length}) AS lease, version AS schema
  FROM schema_version`;
/** A larger difference between the clocks is reported: deadlines follow the working node's clock. */
const CLOCK_TOLERANCE_MS = 2000;

export interface NodeLeaseOptions {
  readonly url: string;
  /** The unique id of this node. */
  readonly node: string;
  /** Where other nodes reach this node. */
  readonly address: string;
  readonly release: string;
  readonly clock: Clock;
  /** Called with each change of the state. Must not throw. */
  readonly onChange: (state: LeaseState) => void;
  /** Reports a line to a person. */
  readonly onProblem: (problem: string) => void;
}

type Answered = LeaseRow & Mark & { readonly nowMs: number };

/**
 * Keeps a node's lease: renews it while the node works, and takes it when no node does. It has its own connection, so
 * that it never waits for a write.
 */
export class NodeLease implements AsyncDisposable {
  readonly #options: NodeLeaseOptions;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  #state: LeaseState = FIRST_STATE;
  #seen: Mark | undefined;
  #client: Client | undefined;
  #expiry: Disposable | undefined;
  /** Does not take the lease before this time. */
  #pauseUntilMs = 0;
  #awake = new AbortController();
  #isAway = false;
  #isClockTold = false;
  #isNewerTold = false;

  constructor(options: NodeLeaseOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  get state(): LeaseState {
    return this.#state;
  }

  /** Returns the last known position of the history while another node worked, for the term that starts. */
  takeSeen(): Mark | undefined {
    const seen = this.#seen;
    this.#seen = undefined;
    return seen;
  }

  /**
   * Stops working and gives the lease back. Another node can take it immediately; this node waits for `pauseMs` before
   * taking it again.
   */
  async giveBack(pauseMs = 0): Promise<void> {
    const { clock, node } = this.#options;
    const fence = this.#state.role === "working" ? this.#state.fence : this.#state.lastFence;
    this.#pauseUntilMs = clock.monotonic() + pauseMs;
    this.#become({ role: "standby", working: undefined, lastFence: fence });
    const sql = "UPDATE node_lease SET ends_at = 'epoch' WHERE node = $1 AND fence = $2";
    // If the database cannot be reached, the lease expires.
    await this.#query(sql, [node, fence]).catch(() => undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    this.#awake.abort();
    await this.#running;
    this.#expiry?.[Symbol.dispose]();
    if (this.#state.role === "working") await this.giveBack();
    const client = this.#client;
    this.#client = undefined;
    if (client) endAtOnce(client);
  }

  async #run(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await this.#look();
      const delayMs = this.#state.role === "working" ? RENEW_MS : LOOK_MS;
      await clock.sleep(delayMs, { signal: this.#awake.signal }).catch(() => undefined);
    }
  }

  async #look(): Promise<void> {
    const { clock, node, address, release } = this.#options;
    const state = this.#state;
    const fence = state.role === "working" ? state.fence : null;
    const wants = fence === null && clock.monotonic() >= this.#pauseUntilMs;
    const sentMs = clock.monotonic();
    try {
      const asked = [node, fence, address, release, LEASE_MS, wants];
      const [found] = await this.#query<{ lease: Answered; schema: number }>(HOLD, asked);
      if (!found) return;
      const { lease: row, schema } = found;
      if (row.node !== node && row.leftMs > 0) this.#see(row);
      this.#noteClock(row.nowMs);
      this.#noteNewer(schema);
      this.#noteAway(undefined);
      const nowMs = clock.monotonic();
      // The lease may have been given back in the meantime.
      if (this.#state !== state && this.#state.role === "standby" && fence !== null) return;
      this.#become(afterAnswer(this.#state, { node, sentMs, nowMs, row }));
    } catch (error: unknown) {
      this.#noteAway(error);
      this.#become(afterTime(this.#state, clock.monotonic()));
    }
  }

  /**
   * Keeps the furthest position, so that a database restored from an older copy below the running nodes is detected.
   */
  #see({ epoch, generation }: Mark): void {
    const isOlder = this.#seen?.epoch === epoch && this.#seen.generation > generation;
    if (!isOlder) this.#seen = { epoch, generation };
  }

  #become(state: LeaseState): void {
    const { clock, onChange } = this.#options;
    const before = this.#state;
    this.#state = state;
    this.#expiry?.[Symbol.dispose]();
    this.#expiry =
      state.role === "working"
        ? clock.after(Math.max(state.untilMs - clock.monotonic(), 0), () =>
            this.#become(afterTime(this.#state, clock.monotonic())),
          )
        : undefined;
    if (toKey(before) !== toKey(state)) onChange(state);
  }

  async #query<TRow extends object>(sql: string, values: readonly unknown[]): Promise<TRow[]> {
    const { url, clock, node } = this.#options;
    let client = this.#client;
    const limit = clock.after(ANSWER_LIMIT_MS, () => {
      if (client) endAtOnce(client);
    });
    try {
      client ??= await connect(url, `holdpoint-lease ${process.pid} ${node}`);
      this.#client = client;
      const { rows } = await client.query<TRow>(sql, [...values]);
      return rows;
    } catch (error: unknown) {
      if (client) endAtOnce(client);
      this.#client = undefined;
      throw error;
    } finally {
      limit[Symbol.dispose]();
    }
  }

  #noteAway(error: unknown): void {
    const isAway = error !== undefined;
    if (isAway === this.#isAway || this.#closing.signal.aborted) return;
    this.#isAway = isAway;
    const why = StoreError.isInstance(error) ? error.message : describeFailure(error);
    this.#options.onProblem(
      isAway
        ? `The lease of the working node cannot be read: ${why.replace(/\.$/u, "")}.`
        : "The lease of the working node can be read again.",
    );
  }

  #noteNewer(schema: number): void {
    if (schema <= MIGRATIONS.length || this.#isNewerTold) return;
    this.#isNewerTold = true;
    this.#options.onProblem(
      `The database was brought up to date by a newer release (schema ${schema}, this one knows up to ${MIGRATIONS.length}). ` +
        "This node forwards requests but no longer takes the lease: upgrade it to that release.",
    );
  }

  #noteClock(databaseMs: number): void {
    const { clock, onProblem } = this.#options;
    const offMs = Math.abs(clock.now() - databaseMs);
    if (offMs < CLOCK_TOLERANCE_MS || this.#isClockTold) return;
    this.#isClockTold = true;
    onProblem(
      `The clock of this machine differs from the database's clock by ${Math.round(offMs / 1000)} seconds. ` +
        "Set both from the same source: the working node keeps the deadlines.",
    );
  }
}

/** Returns the same key for equivalent states. */
function toKey(state: LeaseState): string {
  if (state.role === "working") return `working ${state.fence}`;
  return JSON.stringify(["standby", state.working ?? null]);
}

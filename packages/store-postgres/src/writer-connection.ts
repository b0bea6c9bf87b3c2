import { type Clock, StoreError } from "@holdpoint/engine";
import type pg from "pg";

import { showAddress } from "./address.ts";
import { findServerProblem, readServerSettings } from "./check-server.ts";
import { connect, endAtOnce } from "./connect.ts";
import { type History, readHistory } from "./history.ts";
import { isAtWork, type ServedConnection } from "./is-at-work.ts";
import { acquireWriterLock } from "./writer-lock.ts";

/**
 * Without an answer for this long, the connection counts as broken, whatever the server reports. Statements time out
 * earlier.
 */
const ANSWER_LIMIT_MS = 90_000;
/** Time limit of queries that take the server no time: before any write, and after a failed one. */
const LOOK_LIMIT_MS = 10_000;
const GOODBYE_LIMIT_MS = 1000;

export interface WriterConnectionOptions {
  readonly url: string;
  readonly name: string;
  readonly clock: Clock;
  /** The fence of this node's lease; absent for a gateway without other nodes. */
  readonly fence?: number | undefined;
  /** Ends the wait for the lock. */
  readonly signal: AbortSignal;
}

/** The only connection that writes. It holds the lock as long as it lives. */
export interface WriterConnection {
  readonly client: pg.Client;
  /** Sends several calls as one write, in one round trip. Resolves to their results. */
  write(owner: string, generation: number, calls: string): Promise<unknown[]>;
  /** Rejects, and ends the connection, when no answer comes in time. */
  readHistory(): Promise<History>;
  /** Runs the callback once, when the connection ends unexpectedly. */
  onEnd(run: () => void): void;
  close(): Promise<void>;
}

/** Connects, checks the server, and takes the lock. Rejects with `StoreError`. */
export async function openWriterConnection({
  url,
  name,
  clock,
  fence,
  signal,
}: WriterConnectionOptions): Promise<WriterConnection> {
  const client = await connect(url, name);
  const address = showAddress(url);
  using _ = clock.after(LOOK_LIMIT_MS, () => endAtOnce(client));
  try {
    const settings = await readServerSettings(client);
    const problem = findServerProblem(settings);
    if (problem !== undefined) {
      throw new StoreError("STORE_FAILED", `The database ${address} cannot be used. ${problem}`);
    }
    await acquireWriterLock(client, { clock, name, address, fence, signal });
    return new OpenConnection(client, { url, name, clock, backend: settings.backend });
  } catch (error: unknown) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

class OpenConnection implements WriterConnection {
  readonly client: pg.Client;
  readonly #clock: Clock;
  readonly #served: ServedConnection;
  #isClosing = false;
  #hasEnded = false;

  constructor(client: pg.Client, served: ServedConnection) {
    this.client = client;
    this.#clock = served.clock;
    this.#served = served;
    client.on("end", () => (this.#hasEnded = true));
  }

  async write(owner: string, generation: number, calls: string): Promise<unknown[]> {
    const over = new AbortController();
    using _ = this.#clock.after(LOOK_LIMIT_MS, () => void this.#endOnceDead(over.signal));
    try {
      const { rows } = await this.client.query<{ results: unknown[] }>({
        name: "write_all",
        text: "SELECT write_all($1, $2, $3) AS results",
        values: [owner, generation, calls],
      });
      return rows[0]?.results ?? [];
    } finally {
      over.abort();
    }
  }

  async readHistory(): Promise<History> {
    using _ = this.#clock.after(LOOK_LIMIT_MS, () => endAtOnce(this.client));
    return await readHistory(this.client);
  }

  /**
   * Ends a silent connection when the server reports that it is doing no work for it: the network has lost the query or
   * its answer, for example after a failover. Otherwise this would go unnoticed for a long time.
   */
  async #endOnceDead(over: AbortSignal): Promise<void> {
    const untilMs = this.#clock.monotonic() + ANSWER_LIMIT_MS - LOOK_LIMIT_MS;
    while (!over.aborted) {
      const isDead = this.#clock.monotonic() >= untilMs || !(await isAtWork(this.#served));
      if (over.aborted) return;
      if (isDead) return endAtOnce(this.client);
      await this.#clock.sleep(LOOK_LIMIT_MS, { signal: over }).catch(() => undefined);
    }
  }

  onEnd(run: () => void): void {
    if (this.#hasEnded) return run();
    this.client.once("end", () => {
      if (!this.#isClosing) run();
    });
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    // A broken connection never confirms its end.
    const limit = this.#clock.after(GOODBYE_LIMIT_MS, () => endAtOnce(this.client));
    await this.client.end().catch(() => undefined);
    limit[Symbol.dispose]();
  }
}

import { type CallbackOf, type CallbacksPort, type Clock, EarliestTimer } from "@holdpoint/engine";
import { type AskCallback, type Interaction, ProtocolError } from "@holdpoint/protocol";

import { createPoster, type Poster } from "../lib/post.ts";
import type { Callback, CallbackStore } from "../ports/callback-store.ts";
import { beginTry, endTry, giveUp, makeDue, newCallback } from "./callback-life.ts";
import type { FindCallbackTarget } from "./callback-targets.ts";
import { sendCallback } from "./send-callback.ts";

/** The limit of undelivered callbacks, over all programs. */
export const MAX_OPEN_CALLBACKS = 10_000;
/** Concurrent requests to one host. */
const MAX_AT_ONCE = 4;
/** Callbacks that are due within this time are sent together. */
const TICK_MS = 250;
const KEEP_DONE_MS = 30 * 24 * 60 * 60 * 1000;
const AGAIN_MS = 60_000;

export interface CallbacksOptions {
  readonly store: CallbackStore;
  readonly clock: Clock;
  readonly findPlace: FindCallbackTarget;
  /** Resolves to `undefined` for an unknown id. */
  readonly interactionOf: (interactionId: string) => Promise<Interaction | undefined>;
  /** Returns the `traceparent` of an interaction. Absent: without tracing. */
  readonly traceparentOf?: ((interactionId: string) => Promise<string | undefined>) | undefined;
  /** Called after a new callback is stored. */
  readonly onHeld: () => void;
  readonly onError: (error: unknown) => void;
}

/** The requests to one host. Each host has its own lane, so a slow host delays no other. */
interface Lane {
  readonly ready: Set<string>;
  running: number;
}

/**
 * Notifies programs that their asks are settled. Each step is stored before it is carried out, so the next gateway
 * finishes the work of a killed one.
 */
export class Callbacks implements CallbacksPort, AsyncDisposable {
  readonly #options: CallbacksOptions;
  readonly #poster: Poster;
  /** Callbacks that are waiting or sending, by interaction id. */
  readonly #open = new Map<string, Callback>();
  /** Ids of interactions that are being written to the store. */
  readonly #writing = new Set<string>();
  readonly #later = new Map<string, number>();
  readonly #lanes = new Map<string, Lane>();
  readonly #running = new Set<Promise<void>>();
  readonly #ended = new AbortController();
  #started = false;
  readonly #timer: EarliestTimer;

  private constructor(options: CallbacksOptions) {
    this.#options = options;
    this.#timer = new EarliestTimer(options.clock, () => this.#wake());
    this.#poster = createPoster(options.clock);
  }

  /** Reads the stored callbacks. Sends nothing before `start`. Rejects with `StoreError`. */
  static async open(options: CallbacksOptions): Promise<Callbacks> {
    const callbacks = new Callbacks(options);
    await options.store.forgetDone(options.clock.now() - KEEP_DONE_MS);
    for (const row of await options.store.listOpen()) {
      callbacks.#open.set(row.interactionId, row);
    }
    return callbacks;
  }

  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  /** Starts to send due callbacks. */
  start(): void {
    this.#started = true;
    for (const row of this.#open.values()) this.#plan(row);
  }

  refuses(url: string): string | undefined {
    const place = this.#options.findPlace(url);
    return typeof place === "string" ? place : undefined;
  }

  async hold<T>({ interactionId, url }: CallbackOf, write: () => Promise<T>): Promise<T> {
    if (this.#open.size >= MAX_OPEN_CALLBACKS) {
      throw new ProtocolError("TOO_MANY_PENDING", "Too many callbacks are not delivered yet.");
    }
    const { store, clock, onHeld } = this.#options;
    const row = newCallback({ interactionId, url }, clock.now());
    this.#open.set(interactionId, row);
    this.#writing.add(interactionId);
    try {
      await store.put(row);
      onHeld();
      return await write();
    } finally {
      this.#writing.delete(interactionId);
      // The interaction may be settled already, or its write may have failed.
      this.#track(this.#look(interactionId));
    }
  }

  async find(interactionId: string): Promise<AskCallback | undefined> {
    const found = this.#open.get(interactionId) ?? (await this.#options.store.find(interactionId));
    if (!found) return undefined;
    const { state, tries, problem } = found;
    return { state, tries, ...(problem !== undefined && { problem }) };
  }

  /** Sends the callback of a settled interaction. Does nothing if it has no callback that is still waiting. */
  settled(interactionId: string): void {
    const row = this.#open.get(interactionId);
    if (row?.state !== "waiting" || this.#writing.has(interactionId)) return;
    const due = makeDue(row, this.#options.clock.now());
    this.#open.set(interactionId, due);
    // If this write fails, the first try writes the row.
    this.#track(this.#options.store.put(due).finally(() => this.#plan(due)));
  }

  /** Settles all callbacks whose interaction is not in `pending`, which must be complete. */
  reconcile(pending: ReadonlyMap<string, unknown>): void {
    for (const interactionId of this.#open.keys()) {
      if (!pending.has(interactionId)) this.settled(interactionId);
    }
  }

  /** Aborts running requests. The next gateway sends the undelivered callbacks. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    this.#timer[Symbol.dispose]();
    await Promise.all(this.#running);
    this.#poster[Symbol.dispose]();
  }

  async #look(interactionId: string): Promise<void> {
    // Before `start`, no lookup is needed: the first `reconcile` covers all callbacks.
    if (!this.#started) return;
    const interaction = await this.#options.interactionOf(interactionId);
    if (!interaction) await this.#drop(interactionId);
    else if (interaction.status !== "pending") this.settled(interactionId);
  }

  async #drop(interactionId: string): Promise<void> {
    this.#open.delete(interactionId);
    await this.#options.store.remove(interactionId);
  }

  /** Runs work in the background: failures go to `onError`, and disposal waits for it. */
  #track(work: Promise<void>): void {
    const tracked = work
      .catch((error: unknown) => this.#options.onError(error))
      .finally(() => this.#running.delete(tracked));
    this.#running.add(tracked);
  }

  #plan({ interactionId, url, state, dueAtMs = 0 }: Callback): void {
    if (state !== "sending" || !this.#started) return;
    if (dueAtMs <= this.#options.clock.now()) return this.#makeReady(interactionId, url);
    this.#later.set(interactionId, dueAtMs);
    this.#arm(dueAtMs);
  }

  #makeReady(interactionId: string, url: string): void {
    const { host } = new URL(url);
    const lane = this.#lanes.get(host) ?? { ready: new Set(), running: 0 };
    this.#lanes.set(host, lane);
    lane.ready.add(interactionId);
    this.#run(host, lane);
  }

  #run(host: string, lane: Lane): void {
    if (this.#ended.signal.aborted) return;
    for (const interactionId of lane.ready) {
      if (lane.running >= MAX_AT_ONCE) return;
      lane.ready.delete(interactionId);
      lane.running += 1;
      const done = this.#deliver(interactionId).finally(() => {
        lane.running -= 1;
        this.#run(host, lane);
      });
      this.#track(done);
    }
    if (lane.running === 0) this.#lanes.delete(host);
  }

  #arm(atMs: number): void {
    if (this.#ended.signal.aborted) return;
    this.#timer.consider(Math.max(atMs, this.#options.clock.now() + TICK_MS));
  }

  #wake(): void {
    const nowMs = this.#options.clock.now();
    let earliestMs = Infinity;
    for (const [interactionId, dueAtMs] of this.#later) {
      if (dueAtMs > nowMs) {
        earliestMs = Math.min(earliestMs, dueAtMs);
        continue;
      }
      this.#later.delete(interactionId);
      const row = this.#open.get(interactionId);
      if (row) this.#makeReady(interactionId, row.url);
    }
    if (earliestMs < Infinity) this.#arm(earliestMs);
  }

  async #deliver(interactionId: string): Promise<void> {
    const row = this.#open.get(interactionId);
    if (!row) return;
    try {
      await this.#try(row);
    } catch (error: unknown) {
      // The store failed to read or write: try again later, unless the gateway is closing.
      if (this.#ended.signal.aborted) return;
      const left = this.#open.get(interactionId);
      if (left) this.#plan({ ...left, dueAtMs: this.#options.clock.now() + AGAIN_MS });
      throw error;
    }
  }

  async #try(row: Callback): Promise<void> {
    const { clock, findPlace, interactionOf } = this.#options;
    const { signal } = this.#ended;
    const interaction = await interactionOf(row.interactionId);
    // The interaction was deleted with its session.
    if (!interaction) return this.#drop(row.interactionId);
    const place = findPlace(row.url);
    if (typeof place === "string") return this.#keep(giveUp(row, place, clock.now()));
    const trying = beginTry(row, clock.now());
    await this.#keep(trying);
    const traceparent = await this.#options
      .traceparentOf?.(row.interactionId)
      .catch((): undefined => undefined);
    const parts = { clock, poster: this.#poster, signal, traceparent };
    const result = await sendCallback(parts, place, interaction);
    // A request aborted by shutdown is not the receiver's failure.
    if (signal.aborted && result.kind !== "sent") return;
    const next = endTry(trying, result, clock.now());
    await this.#keep(next);
    this.#plan(next);
  }

  async #keep(row: Callback): Promise<void> {
    await this.#options.store.put(row);
    const isDone = row.state === "delivered" || row.state === "failed";
    if (isDone) this.#open.delete(row.interactionId);
    else this.#open.set(row.interactionId, row);
  }
}

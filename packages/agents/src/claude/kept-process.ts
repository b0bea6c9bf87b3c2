import type { Clock } from "@holdpoint/engine";

import type { ClaudeProcess } from "./claude-process.ts";
import type { IdleProcesses } from "./idle-processes.ts";

export interface KeptProcessOptions {
  readonly clock: Clock;
  readonly idleMs: number;
  /** The idle processes of all conversations. */
  readonly idle: IdleProcesses;
}

/**
 * A conversation's process, if it has one. It is kept for some time after a turn, so that the next turn starts at once.
 */
export class KeptProcess implements AsyncDisposable {
  readonly #clock: Clock;
  readonly #idleMs: number;
  readonly #idle: IdleProcesses;
  #process: ClaudeProcess | undefined;
  #idleTimer: Disposable | undefined;
  #isDisposed = false;

  constructor({ clock, idleMs, idle }: KeptProcessOptions) {
    this.#clock = clock;
    this.#idleMs = idleMs;
    this.#idle = idle;
  }

  get current(): ClaudeProcess | undefined {
    return this.#process;
  }

  /** Once disposed, no process is kept beyond its turn. */
  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  keep(process: ClaudeProcess): void {
    this.#process = process;
  }

  /** Has no effect for a process that is not the kept one. */
  forget(process: ClaudeProcess): void {
    if (this.#process !== process) return;
    this.#process = undefined;
    this.occupy();
  }

  /** Ends the process without waiting for it. */
  drop(): void {
    this.occupy();
    this.#process?.close();
    this.#process = undefined;
  }

  /** Ends the process and waits until it has stopped writing. */
  async end(): Promise<void> {
    await this.#process?.[Symbol.asyncDispose]();
  }

  interrupt(): void {
    this.#process?.interrupt().catch(() => undefined); // the process is gone or ending
  }

  /**
   * Runs an action on the process, if there is one. Rejects on failure only if the process is still the kept one and
   * not ending.
   */
  async tell(action: (process: ClaudeProcess) => Promise<void>): Promise<void> {
    const process = this.#process;
    if (process === undefined) return;
    try {
      await action(process);
    } catch (error: unknown) {
      if (this.#process === process && !process.isGone) throw error;
    }
  }

  /** Stops the idle timer, since a turn needs the process or the process is gone. */
  occupy(): void {
    this.#idleTimer?.[Symbol.dispose]();
    this.#idle.remove(this);
  }

  /** Starts the idle timer, after which the process ends. */
  release(): void {
    if (this.#process === undefined || this.#isDisposed) return;
    this.#idleTimer?.[Symbol.dispose]();
    this.#idleTimer = this.#clock.after(this.#idleMs, () => this.drop());
    this.#idle.add(this);
  }

  /** Ends the process and waits for its end. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    this.occupy();
    await this.end();
  }
}

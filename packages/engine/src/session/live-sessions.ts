import type { SessionStatus } from "@holdpoint/protocol";

import { LiveSession, type RestingStatus } from "./live-session.ts";

/** The sessions in use: one object for each, from its first use to its last. */
export class LiveSessions {
  readonly #sessions = new Map<string, LiveSession>();
  readonly #asksPerSecond: number;
  readonly #restingStatus: (sessionId: string) => RestingStatus;
  readonly #onStatus: (sessionId: string, status: SessionStatus) => void;

  constructor(options: {
    readonly asksPerSecond: number;
    /** The status of a session while it runs nothing. */
    readonly restingStatus: (sessionId: string) => RestingStatus;
    readonly onStatus: (sessionId: string, status: SessionStatus) => void;
  }) {
    this.#asksPerSecond = options.asksPerSecond;
    this.#restingStatus = options.restingStatus;
    this.#onStatus = options.onStatus;
  }

  get size(): number {
    return this.#sessions.size;
  }

  all(): Iterable<LiveSession> {
    return this.#sessions.values();
  }

  /** The session, if it is in use. */
  peek(sessionId: string): LiveSession | undefined {
    return this.#sessions.get(sessionId);
  }

  /** The current status of a session, in use or not. */
  statusOf(sessionId: string): SessionStatus {
    return this.peek(sessionId)?.status ?? this.#restingStatus(sessionId);
  }

  /** Sends the session's status to its followers, if it has changed. */
  refreshStatus(sessionId: string): void {
    const live = this.peek(sessionId);
    if (live?.refreshStatus()) this.#onStatus(sessionId, live.status);
  }

  /** Keeps the session's object for as long as `task` runs. */
  async use<TResult>(
    sessionId: string,
    task: (live: LiveSession) => Promise<TResult>,
  ): Promise<TResult> {
    const live = this.acquire(sessionId);
    try {
      return await task(live);
    } finally {
      this.release(live);
    }
  }

  /** Like `use`, for a caller that calls `release` itself. */
  acquire(sessionId: string): LiveSession {
    let live = this.#sessions.get(sessionId);
    if (!live) {
      const restingStatus = (): RestingStatus => this.#restingStatus(sessionId);
      live = new LiveSession(sessionId, { asksPerSecond: this.#asksPerSecond, restingStatus });
      this.#sessions.set(sessionId, live);
    }
    live.users += 1;
    return live;
  }

  release(live: LiveSession): void {
    live.users -= 1;
    if (live.isIdle && this.#sessions.get(live.sessionId) === live) {
      this.#sessions.delete(live.sessionId);
    }
  }
}

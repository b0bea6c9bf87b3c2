import { LiveSession } from "./live-session.ts";

/** The sessions that are in use. One object for each, from its first use until nobody needs it. */
export class LiveSessions {
  readonly #sessions = new Map<string, LiveSession>();
  readonly #asksPerSecond: number;

  constructor(options: { readonly asksPerSecond: number }) {
    this.#asksPerSecond = options.asksPerSecond;
  }

  get size(): number {
    return this.#sessions.size;
  }

  all(): Iterable<LiveSession> {
    return this.#sessions.values();
  }

  /** The session if it is in use. */
  peek(sessionId: string): LiveSession | undefined {
    return this.#sessions.get(sessionId);
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

  /** Like `use`, for those who must call `release` themselves. */
  acquire(sessionId: string): LiveSession {
    let live = this.#sessions.get(sessionId);
    if (!live) {
      live = new LiveSession(sessionId, { asksPerSecond: this.#asksPerSecond });
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

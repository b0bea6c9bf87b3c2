import { RETRY_MS } from "../lib/retry-until-done.ts";
import type { Clock } from "../ports/clock.ts";
import type { Store, StoredInteraction, StoredMessage } from "../ports/store.ts";
import type { LiveSession } from "../session/live-session.ts";
import type { LiveSessions } from "../session/live-sessions.ts";
import { nextResume } from "./resume-turn.ts";

export interface TurnQueueParts {
  readonly store: Store;
  readonly sessions: LiveSessions;
  readonly clock: Clock;
  readonly draining: AbortSignal;
  readonly onError: (error: unknown, where: string) => void;
  /** Resolves once the session is recovered from a previous gateway. */
  readonly recovered: (sessionId: string) => Promise<void>;
  /** Whether an interaction of the session is parked. Messages then wait for its answer. */
  readonly isParked: (sessionId: string) => boolean;
  /** Whether a person can still take back a response in the session. Everything waits until that is over. */
  readonly isUndoable: (sessionId: string) => boolean;
  /** Takes the message from the queue and runs its turn to the end; rejects when the turn could not be started. */
  readonly runTurn: (live: LiveSession, message: StoredMessage) => Promise<void>;
  /** Restarts the agent for an answer, and runs its turn to the end; rejects when the turn could not be started. */
  readonly resumeTurn: (live: LiveSession, answered: StoredInteraction) => Promise<void>;
}

/** Work that runs before the queue. */
interface First {
  readonly run: () => Promise<void>;
  readonly queuesNothing?: true;
}

/** Runs the turns of all sessions: in each session one after another, until the queue is empty. */
export class TurnQueue {
  readonly #parts: TurnQueueParts;

  constructor(parts: TurnQueueParts) {
    this.#parts = parts;
  }

  /** Runs the session's queue unless it is already running. */
  kick(sessionId: string): void {
    const { sessions, draining } = this.#parts;
    if (draining.aborted) return;
    const live = sessions.acquire(sessionId);
    live.kicked = true;
    if (live.driver || live.deleting) sessions.release(live);
    else this.#start(live);
  }

  /** Runs a turn without a message in a session with nothing running, then the session's queue. */
  driveFirst(live: LiveSession, first: () => Promise<void>): void {
    this.#start(this.#parts.sessions.acquire(live.sessionId), { run: first });
  }

  /**
   * Runs work that queues nothing itself, in a session with nothing running. Reads the queue only if something else has
   * kicked it.
   */
  driveAlone(live: LiveSession, run: () => Promise<void>): void {
    this.#start(this.#parts.sessions.acquire(live.sessionId), { run, queuesNothing: true });
  }

  #start(live: LiveSession, first?: First): void {
    live.driver = Promise.resolve().then(() => this.#drive(live, first));
    this.#parts.sessions.refreshStatus(live.sessionId);
  }

  async #drive(live: LiveSession, first?: First): Promise<void> {
    const { sessions, draining, onError } = this.#parts;
    try {
      await first?.run().catch((error: unknown) => onError(error, "turn"));
      if (first?.queuesNothing && !live.kicked) return;
      while (!draining.aborted && !live.deleting) {
        live.kicked = false;
        const ran = await this.#runNext(live);
        // No await in between: a message queued from here on finds no driver and starts a new one.
        if (!ran && !live.kicked) return;
      }
    } finally {
      live.driver = undefined;
      sessions.refreshStatus(live.sessionId);
      sessions.release(live);
    }
  }

  /** Runs the next answer or message. Answers that restart an agent come first. False when there is nothing to run. */
  async #runNext(live: LiveSession): Promise<boolean> {
    const { store, clock, draining, onError, isParked, runTurn, resumeTurn } = this.#parts;
    try {
      await this.#parts.recovered(live.sessionId);
      if (this.#parts.isUndoable(live.sessionId)) return false;
      const answered = await nextResume(store, live.sessionId);
      if (answered) {
        await resumeTurn(live, answered);
        return true;
      }
      if (isParked(live.sessionId)) return false;
      const message = await store.nextMessage(live.sessionId);
      if (message) await runTurn(live, message);
      return message !== undefined;
    } catch (error: unknown) {
      onError(error, "turn queue");
      // Ends early when the gateway closes, which the loop then sees.
      await clock.sleep(RETRY_MS, { signal: draining }).catch(() => undefined);
      return true;
    }
  }
}

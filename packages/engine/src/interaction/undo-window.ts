import type { AnswerableStatus } from "@holdpoint/protocol";

import type { Clock } from "../ports/clock.ts";

/** A response that its agent has certainly not got. */
export interface Undoable {
  readonly interactionId: string;
  readonly sessionId: string;
  /** What the interaction was before the response. */
  readonly before: AnswerableStatus;
  /** Its agent was ended, and is started again when the window closes. */
  readonly isParked: boolean;
  /** The queued message that brings the response to the agent. */
  readonly messageId: string | undefined;
  /** The grant for one call that the response has left. */
  readonly grantId: string | undefined;
}

interface Window {
  readonly undoable: Undoable;
  timer: Disposable | undefined;
  undo: Promise<unknown> | undefined;
}

/**
 * Responses that people can take back for a moment. In a session with one no turn begins: neither its own nor that of a
 * message. It is kept in memory alone: a gateway that starts delivers what the one before it has not.
 */
export class UndoWindows {
  readonly #windows = new Map<string, Window>();
  readonly #clock: Clock;
  readonly #onClosed: (sessionId: string) => void;

  /** `onClosed` runs what has waited in the session. */
  constructor(options: { readonly clock: Clock; readonly onClosed: (sessionId: string) => void }) {
    this.#clock = options.clock;
    this.#onClosed = options.onClosed;
  }

  get size(): number {
    return this.#windows.size;
  }

  open(undoable: Undoable, durationMs: number): void {
    const { interactionId } = undoable;
    const timer = this.#clock.after(Math.max(durationMs, 0), () => this.#close(interactionId));
    this.#windows.set(interactionId, { undoable, timer, undo: undefined });
  }

  /** Whether turns of this session wait. */
  hasOf(sessionId: string): boolean {
    return this.#some(({ undoable }) => undoable.sessionId === sessionId);
  }

  /** Whether an agent is to be started again in this session when a window closes. */
  hasParked(sessionId: string): boolean {
    return this.#some(({ undoable }) => undoable.sessionId === sessionId && undoable.isParked);
  }

  /**
   * Takes the response back with `undo`, once: a second call gets the result of the first. Nothing is delivered meanwhile; then
   * the window closes, however it ends. `undefined` when the window is closed.
   */
  take<T>(interactionId: string, undo: (undoable: Undoable) => Promise<T>): Promise<T> | undefined {
    const window = this.#windows.get(interactionId);
    if (!window) return undefined;
    window.timer?.[Symbol.dispose]();
    window.timer = undefined;
    window.undo ??= undo(window.undoable).finally(() => this.#close(interactionId));
    return window.undo as Promise<T>;
  }

  /** Closes all without a delivery: that is for the next gateway. */
  stop(): void {
    for (const { timer } of this.#windows.values()) timer?.[Symbol.dispose]();
    this.#windows.clear();
  }

  #some(matches: (window: Window) => boolean): boolean {
    return this.#windows.size > 0 && [...this.#windows.values()].some(matches);
  }

  #close(interactionId: string): void {
    const window = this.#windows.get(interactionId);
    if (!window) return;
    this.#windows.delete(interactionId);
    this.#onClosed(window.undoable.sessionId);
  }
}

import type { AnswerableStatus } from "@holdpoint/protocol";

import type { Clock } from "../ports/clock.ts";

/** A response that its agent has certainly not received. */
export interface Undoable {
  readonly interactionId: string;
  readonly sessionId: string;
  /** The status of the interaction before the response. */
  readonly before: AnswerableStatus;
  /** Whether its agent was ended, and is restarted when the window closes. */
  readonly isParked: boolean;
  /** The queued message that brings the response to the agent. */
  readonly messageId: string | undefined;
  /** The grant for one call that the response has created. */
  readonly grantId: string | undefined;
}

interface Window {
  readonly undoable: Undoable;
  timer: Disposable | undefined;
  undo: Promise<unknown> | undefined;
}

/**
 * Responses that people can take back for a short time. While a session has one, no turn begins in it, neither for the
 * response nor for a message. Windows are kept only in memory: a new gateway delivers the responses that the previous
 * one has not.
 */
export class UndoWindows {
  readonly #windows = new Map<string, Window>();
  readonly #clock: Clock;
  readonly #onClosed: (sessionId: string) => void;

  /** `onClosed` runs the work that was waiting in the session. */
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

  /** Whether turns of this session have to wait. */
  hasOf(sessionId: string): boolean {
    return this.#some(({ undoable }) => undoable.sessionId === sessionId);
  }

  /** Whether an agent is restarted in this session when a window closes. */
  hasParked(sessionId: string): boolean {
    return this.#some(({ undoable }) => undoable.sessionId === sessionId && undoable.isParked);
  }

  /**
   * Takes the response back with `undo`, once: a second call gets the result of the first. Nothing is delivered until
   * `undo` has ended. The window closes then, whatever the result. `undefined` when the window is already closed.
   */
  take<T>(interactionId: string, undo: (undoable: Undoable) => Promise<T>): Promise<T> | undefined {
    const window = this.#windows.get(interactionId);
    if (!window) return undefined;
    window.timer?.[Symbol.dispose]();
    window.timer = undefined;
    window.undo ??= undo(window.undoable).finally(() => this.#close(interactionId));
    return window.undo as Promise<T>;
  }

  /** Closes all windows without delivering their responses, which is left to the next gateway. */
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

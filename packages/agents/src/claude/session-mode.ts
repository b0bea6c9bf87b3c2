import type { PermissionMode } from "@anthropic-ai/claude-agent-sdk";

import { ALLOWING_MODE, ASKING_MODE } from "./permission-modes.ts";

export class SessionMode {
  #current: PermissionMode;
  /** Whether a person has allowed everything. The agent may leave that mode for a moment and come back. */
  #mayAllowAll: boolean;

  constructor(mode: PermissionMode) {
    this.#current = mode;
    this.#mayAllowAll = mode === ALLOWING_MODE;
  }

  get current(): PermissionMode {
    return this.#current;
  }

  get mayAllowAll(): boolean {
    return this.#mayAllowAll;
  }

  /** Sets a person's choice. Returns a function that reverts it if the runtime refuses it. */
  choose(mode: PermissionMode): () => void {
    const before = { mode: this.#current, mayAllowAll: this.#mayAllowAll };
    this.#mayAllowAll = mode === ALLOWING_MODE;
    this.#current = mode;
    return () => {
      this.#current = before.mode;
      this.#mayAllowAll = before.mayAllowAll && this.#mayAllowAll;
    };
  }

  /**
   * Judges a mode reported by the runtime: the agent enters and leaves planning on its own, and an approval can change
   * the mode. The agent cannot enter the mode that allows everything on its own; it is then set to ask.
   */
  judge(reported: PermissionMode): { readonly mode: PermissionMode; readonly isRefused: boolean } {
    const isRefused = reported === ALLOWING_MODE && !this.#mayAllowAll;
    return { mode: isRefused ? ASKING_MODE : reported, isRefused };
  }

  /** Follows a mode that the runtime has entered. */
  follow(mode: PermissionMode): void {
    this.#current = mode;
  }
}

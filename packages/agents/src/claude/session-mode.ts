import type { PermissionMode } from "@anthropic-ai/claude-agent-sdk";

import { ALLOWING_MODE, ASKING_MODE } from "./permission-modes.ts";

/** The permission mode of a session. */
export class SessionMode {
  #current: PermissionMode;
  /** The mode that allows everything is the gateway's last word: the agent may leave it for a moment and come back. */
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

  /** Takes a person's choice. Gives a function that takes it back, where the runtime refuses it. */
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
   * What the runtime's report of its mode means: the agent goes into planning and out of it by itself, and an approval can
   * change the mode. It cannot come to the mode that allows everything on its own: then it is told to ask.
   */
  judge(reported: PermissionMode): { readonly mode: PermissionMode; readonly isRefused: boolean } {
    const isRefused = reported === ALLOWING_MODE && !this.#mayAllowAll;
    return { mode: isRefused ? ASKING_MODE : reported, isRefused };
  }

  /** Takes a mode that the runtime is in. */
  follow(mode: PermissionMode): void {
    this.#current = mode;
  }
}

import type { SDKResultMessage } from "@anthropic-ai/claude-agent-sdk";
import type { TurnUsage } from "@holdpoint/protocol";

import type { ParkingPlace } from "./parking.ts";
import { EMPTY_STATE, type SavedState, serializeState } from "./saved-state.ts";
import type { ClaudeSessionOptions } from "./session-options.ts";
import { NO_SPENDING, spentBetween, toSpending } from "./spending.ts";

/** What a session knows of its conversation with the runtime. Whoever changes it stores it with the session. */
export class Conversation {
  #state: SavedState;

  constructor(state: SavedState) {
    this.#state = state;
  }

  /** The runtime's own id; undefined before the first turn. */
  get id(): string | undefined {
    return this.#state.conversationId;
  }

  /** Takes the id that a process has said. False when it is the one that is known. */
  take(conversationId: string): boolean {
    const { conversationId: before } = this.#state;
    if (conversationId === before) return false;
    const isNew = before === undefined;
    this.#state = { ...this.#state, conversationId, ...(isNew && { spent: NO_SPENDING }) };
    return true;
  }

  /**
   * Takes the runtime's counts, which go on from turn to turn, also in a process that resumes the conversation. Gives what was
   * used since the last ones; undefined for the result of a failed start, which has no counts.
   */
  count(result: SDKResultMessage): { readonly used: TurnUsage | undefined } | undefined {
    const { spent } = this.#state;
    const now = toSpending(result);
    if (now.inputTokens === 0) return undefined;
    this.#state = { ...this.#state, spent: now };
    return { used: spent && spentBetween(spent, now) };
  }

  /** The runtime has lost its record: the next turn begins another one. */
  forget(): void {
    this.#state = EMPTY_STATE;
  }

  /** Where its record is, if there is one from which it could be resumed. */
  placeIn({
    recordDir: configDir,
    cwd,
  }: Pick<ClaudeSessionOptions, "recordDir" | "cwd">): ParkingPlace | undefined {
    const { id: conversationId } = this;
    return configDir === undefined || conversationId === undefined
      ? undefined
      : { configDir, conversationId, cwd };
  }

  /** As it is stored. */
  toString(): string {
    return serializeState(this.#state);
  }
}

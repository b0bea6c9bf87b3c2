import type { SDKResultMessage } from "@anthropic-ai/claude-agent-sdk";
import type { TurnUsage } from "@holdpoint/protocol";

import type { ParkingPlace } from "./parking.ts";
import { EMPTY_STATE, type SavedState, serializeState } from "./saved-state.ts";
import type { ClaudeSessionOptions } from "./session-options.ts";
import { NO_SPENDING, spentBetween, toSpending } from "./spending.ts";

/** A session's state of its conversation with the runtime. The caller that changes it also stores it. */
export class Conversation {
  #state: SavedState;

  constructor(state: SavedState) {
    this.#state = state;
  }

  /** The runtime's own id; `undefined` before the first turn. */
  get id(): string | undefined {
    return this.#state.conversationId;
  }

  /** Takes the id that a process reports. Returns false if the id has not changed. */
  take(conversationId: string): boolean {
    const { conversationId: before } = this.#state;
    if (conversationId === before) return false;
    const isNew = before === undefined;
    this.#state = { ...this.#state, conversationId, ...(isNew && { spent: NO_SPENDING }) };
    return true;
  }

  /**
   * Takes the runtime's counts, which accumulate across turns and across processes that resume the conversation.
   * Returns the usage since the last counts; `undefined` for the result of a failed start, which has no counts.
   */
  count(result: SDKResultMessage): { readonly used: TurnUsage | undefined } | undefined {
    const { spent } = this.#state;
    const now = toSpending(result);
    if (now.inputTokens === 0) return undefined;
    this.#state = { ...this.#state, spent: now };
    return { used: spent && spentBetween(spent, now) };
  }

  /** Resets the state after the runtime has lost its record: the next turn begins a new conversation. */
  forget(): void {
    this.#state = EMPTY_STATE;
  }

  /** Where the record is, if there is one to resume from. */
  placeIn({
    recordDir: configDir,
    cwd,
  }: Pick<ClaudeSessionOptions, "recordDir" | "cwd">): ParkingPlace | undefined {
    const { id: conversationId } = this;
    return configDir === undefined || conversationId === undefined
      ? undefined
      : { configDir, conversationId, cwd };
  }

  /** The stored form. */
  toString(): string {
    return serializeState(this.#state);
  }
}

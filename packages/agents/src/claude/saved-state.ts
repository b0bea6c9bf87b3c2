import { parseSpending, type Spending } from "./spending.ts";

/** The state that a session needs to resume in a new process. Never changed in place. */
export interface SavedState {
  /** The runtime's own id of the conversation. */
  readonly conversationId?: string;
  /** The conversation's usage at the end of its last turn; absent: unknown. */
  readonly spent?: Spending;
}

export const EMPTY_STATE: SavedState = {};

export function serializeState(state: SavedState): string {
  return JSON.stringify({ version: 1, ...state });
}

/** Parses a stored state. Returns an empty one for invalid text: the conversation then starts over. */
export function parseState(text: string | undefined): SavedState {
  if (text === undefined) return EMPTY_STATE;
  try {
    const { conversationId, spent: stored } = JSON.parse(text) as Record<string, unknown>;
    if (typeof conversationId !== "string") return EMPTY_STATE;
    const spent = parseSpending(stored);
    return { conversationId, ...(spent && { spent }) };
  } catch {
    return EMPTY_STATE; // not a state of this adapter
  }
}

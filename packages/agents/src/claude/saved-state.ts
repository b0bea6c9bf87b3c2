import { parseSpending, type Spending } from "./spending.ts";

/** What a session needs to resume in a new process. Never changed in place. */
export interface SavedState {
  /** The runtime's own id of the conversation. */
  readonly conversationId?: string;
  /** What the conversation had used by the end of its last turn; absent: that is not known. */
  readonly spent?: Spending;
}

export const EMPTY_STATE: SavedState = {};

export function serializeState(state: SavedState): string {
  return JSON.stringify({ version: 1, ...state });
}

/** An empty state for anything that is not one: the conversation begins anew. */
export function parseState(text: string | undefined): SavedState {
  if (text === undefined) return EMPTY_STATE;
  try {
    const { conversationId, spent: stored } = JSON.parse(text) as Record<string, unknown>;
    if (typeof conversationId !== "string") return EMPTY_STATE;
    const spent = parseSpending(stored);
    return { conversationId, ...(spent && { spent }) };
  } catch {
    return EMPTY_STATE; // a state of something else
  }
}

/** What a session needs to resume in a new process. Never changed in place. */
export interface SavedState {
  /** The runtime's own id of the conversation. */
  readonly conversationId?: string;
}

export const EMPTY_STATE: SavedState = {};

export function serializeState(state: SavedState): string {
  return JSON.stringify({ version: 1, ...state });
}

/** An empty state for anything that is not one: the conversation begins anew. */
export function parseState(text: string | undefined): SavedState {
  if (text === undefined) return EMPTY_STATE;
  try {
    const { conversationId } = JSON.parse(text) as Record<string, unknown>;
    return typeof conversationId === "string" ? { conversationId } : EMPTY_STATE;
  } catch {
    return EMPTY_STATE; // a state of something else
  }
}

/** What a session needs to go on in a new process. Never changed in place. */
export interface SavedState {
  /** The runtime's own id of the conversation. */
  readonly conversationId?: string;
}

export const emptyState: SavedState = {};

export function serializeState(state: SavedState): string {
  return JSON.stringify({ version: 1, ...state });
}

/** An empty state for anything that is not one: the conversation begins anew. */
export function parseState(text: string | undefined): SavedState {
  if (text === undefined) return emptyState;
  try {
    const { conversationId } = JSON.parse(text) as Record<string, unknown>;
    return typeof conversationId === "string" ? { conversationId } : emptyState;
  } catch {
    return emptyState; // a state of something else
  }
}

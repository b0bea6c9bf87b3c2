import type { InteractionEvent } from "@holdpoint/protocol";

import type { ToolCallItem } from "./session-view.ts";

/** How a tool call ended. */
export type CallEnd = Required<Pick<ToolCallItem, "result" | "endedAt">>;

interface LooseCallEnd {
  readonly turnId: string | undefined;
  readonly toolCallId: string;
  readonly end: CallEnd;
}

/**
 * What belongs to calls and interactions from before the oldest event that was loaded. Oldest first. Short: only
 * the first page of a long log leaves any.
 */
export interface LooseEnds {
  readonly callEnds: readonly LooseCallEnd[];
  readonly changes: readonly InteractionEvent[];
}

export const NO_LOOSE_ENDS: LooseEnds = { callEnds: [], changes: [] };

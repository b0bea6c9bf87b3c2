import type { UUID } from "node:crypto";

import type { ResumedCall } from "./parking.ts";

/** What the next gateway must know of a turn, whose process is then its own. */
export interface TurnNote {
  /** The call that the process was started at. */
  readonly resumed?: ResumedCall | undefined;
  /** The runtime's id of the message that the turn answers. */
  readonly promptId?: UUID | undefined;
}

export function toNote({ resumed, promptId }: TurnNote): string {
  const { toolCallId, mode } = resumed ?? {};
  return JSON.stringify({ toolCallId, mode, promptId });
}

export function parseNote(note: string | undefined): TurnNote {
  const { toolCallId, mode, promptId } = JSON.parse(note ?? "{}") as Partial<ResumedCall> &
    TurnNote;
  const resumed = toolCallId !== undefined && mode !== undefined ? { toolCallId, mode } : undefined;
  return { resumed, promptId };
}

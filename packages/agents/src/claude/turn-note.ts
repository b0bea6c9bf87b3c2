import type { UUID } from "node:crypto";

import type { ResumedCall } from "./parking.ts";

/** Facts about a turn for the next gateway, which takes over the process. */
export interface TurnNote {
  /** The call that the process was started at. */
  readonly resumed?: ResumedCall | undefined;
  /** The runtime's id of the message that started the turn. */
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

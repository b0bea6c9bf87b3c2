import { toInstant } from "../lib/instant.ts";
import type { Clock } from "../ports/clock.ts";
import type { Store } from "../ports/store.ts";
import type { SessionLog } from "../session/session-log.ts";

export interface RecordExternalCallParts {
  readonly store: Pick<Store, "listToolCallInteractions">;
  readonly clock: Pick<Clock, "now">;
  readonly log: Pick<SessionLog, "append">;
}

/** How a tool call has ended that runs where somebody else has started its agent. */
export interface ExternalCall {
  readonly sessionId: string;
  readonly toolCallId: string;
  readonly content: string;
  readonly isError: boolean;
}

/** Writes how a call has run about which a person was asked here. Changes nothing where nobody was asked. */
export async function recordExternalCall(
  { store, clock, log }: RecordExternalCallParts,
  { sessionId, toolCallId, content, isError }: ExternalCall,
): Promise<void> {
  const asked = await store.listToolCallInteractions(sessionId, toolCallId);
  const last = asked.at(-1);
  if (!last) return;
  const { turnId } = last.interaction;
  const at = toInstant(clock.now());
  const event = { type: "tool_result", at, turnId, toolCallId, content, isError } as const;
  await log.append({ sessionId, events: [event] });
}

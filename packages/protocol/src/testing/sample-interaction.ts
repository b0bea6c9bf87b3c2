import type { Interaction } from "../interaction.ts";

/**
 * A call of Bash in the session `ses_1` that has waited for its approval since 2026-01-02T03:04:05Z, with these
 * changes.
 */
export function sampleInteraction(changes: Partial<Interaction> = {}): Interaction {
  return {
    interactionId: "int_1",
    sessionId: "ses_1",
    turnId: "trn_1",
    toolCallId: "call_1",
    toolName: "Bash",
    kind: "approval",
    status: "pending",
    attempt: 1,
    presentation: "tool",
    startedAt: "2026-01-02T03:04:05.000Z",
    onTimeout: "wait",
    hold: "held",
    ...changes,
  };
}

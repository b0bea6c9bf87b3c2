import { type Interaction, isAnswerable, isFinal } from "@holdpoint/protocol";

export interface SpanEvent {
  readonly name: string;
  readonly atMs: number;
}

/** One interaction from its request to its end, without names or any content of the request or answer. */
export interface InteractionSpan {
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly events: readonly SpanEvent[];
}

/** Whether the interaction can no longer change. */
export function isOver(interaction: Interaction): boolean {
  const { status } = interaction;
  if (isFinal(status)) return true;
  return status !== "answered" && !isAnswerable(interaction);
}

/** The span of an interaction that is over, built from the interaction alone. */
export function toSpan(interaction: Interaction, endMs: number): InteractionSpan {
  const { interactionId, kind, status, how, startedAt, by, closedAt } = interaction;
  const startMs = Date.parse(startedAt);
  return {
    name: `interaction ${kind}`,
    startMs,
    endMs: Math.max(endMs, startMs),
    attributes: {
      "holdpoint.interaction.id": interactionId,
      "holdpoint.session.id": interaction.sessionId,
      "holdpoint.interaction.kind": kind,
      "holdpoint.interaction.status": status,
      "holdpoint.interaction.hold": interaction.hold,
      "holdpoint.interaction.hold_changes": interaction.holdChanges ?? 0,
      "holdpoint.interaction.reopenings": interaction.reopenings ?? 0,
      ...(how && { "holdpoint.interaction.delivery": how }),
    },
    events: [
      { name: "asked", atMs: startMs },
      ...(closedAt === undefined ? [] : [{ name: "closed", atMs: Date.parse(closedAt) }]),
      ...(by ? [{ name: "answered", atMs: Date.parse(by.at) }] : []),
      { name: status, atMs: Math.max(endMs, startMs) },
    ],
  };
}

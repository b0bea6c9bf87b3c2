import { createHash } from "node:crypto";

import { type Interaction, isAnswerable, isFinal, isTraceparent } from "@holdpoint/protocol";

/** Of OpenTelemetry. */
const INTERNAL = 1;

export interface SpanEvent {
  readonly name: string;
  readonly atMs: number;
}

/** One interaction from its request to its end. There is nothing of what was asked or answered in it, and no name. */
export interface InteractionSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly events: readonly SpanEvent[];
}

type Traced = {
  readonly interaction: Interaction;
  readonly traceparent?: string | undefined;
};

/** Whether nothing more will become of it. */
export function isOver(interaction: Interaction): boolean {
  const { status } = interaction;
  if (isFinal(status)) return true;
  return status !== "answered" && !isAnswerable(interaction);
}

/**
 * The span of an interaction that is over. Its ids are made of the interaction's, so that a gateway which finishes what
 * another has begun writes the same span, and nothing has to be kept meanwhile but the trace of who asked.
 */
export function toSpan({ interaction, traceparent }: Traced, endMs: number): InteractionSpan {
  const { interactionId, kind, status, how, startedAt, by, closedAt } = interaction;
  const { traceId, spanId, parentSpanId } = idsOf(interactionId, traceparent);
  const startMs = Date.parse(startedAt);
  return {
    traceId,
    spanId,
    parentSpanId,
    name: `interaction ${kind}`,
    kind: INTERNAL,
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

/** The `traceparent` under which others hear of an interaction. */
export function traceparentOf(interactionId: string, traceparent?: string): string {
  const { traceId, spanId } = idsOf(interactionId, traceparent);
  return `00-${traceId}-${spanId}-01`;
}

function idsOf(
  interactionId: string,
  traceparent: string | undefined,
): Pick<InteractionSpan, "traceId" | "spanId" | "parentSpanId"> {
  const hash = createHash("sha256").update(`holdpoint span ${interactionId}`).digest("hex");
  const [, traceId, parentSpanId] = isTraceparent(traceparent) ? traceparent.split("-") : [];
  return { traceId: traceId ?? hash.slice(0, 32), spanId: hash.slice(32, 48), parentSpanId };
}

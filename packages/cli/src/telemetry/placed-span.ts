import { createHash } from "node:crypto";

import { type Interaction, isTraceparent } from "@holdpoint/protocol";

import { type InteractionSpan, toSpan } from "./interaction-span.ts";

/** A span with its place in a trace. */
export interface PlacedSpan extends InteractionSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
}

type Traced = {
  readonly interaction: Interaction;
  readonly traceparent?: string | undefined;
};

/**
 * Derives the span's ids from the interaction's id. So a gateway that finishes an interaction started by another one
 * writes the same span, and only the requester's trace has to be stored.
 */
export function toPlacedSpan({ interaction, traceparent }: Traced, endMs: number): PlacedSpan {
  return { ...idsOf(interaction.interactionId, traceparent), ...toSpan(interaction, endMs) };
}

/** The `traceparent` that identifies an interaction's span to others. */
export function traceparentOf(interactionId: string, traceparent?: string): string {
  const { traceId, spanId } = idsOf(interactionId, traceparent);
  return `00-${traceId}-${spanId}-01`;
}

function idsOf(
  interactionId: string,
  traceparent: string | undefined,
): Pick<PlacedSpan, "traceId" | "spanId" | "parentSpanId"> {
  const hash = createHash("sha256").update(`holdpoint span ${interactionId}`).digest("hex");
  const [, traceId, parentSpanId] = isTraceparent(traceparent) ? traceparent.split("-") : [];
  return { traceId: traceId ?? hash.slice(0, 32), spanId: hash.slice(32, 48), parentSpanId };
}

import { sampleInteraction } from "@holdpoint/protocol/testing";
import { expect, test } from "vitest";

import { isOver } from "./interaction-span.ts";
import { toPlacedSpan, traceparentOf } from "./placed-span.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";
const SECRET = "cobalt-otter";

const answered = sampleInteraction({
  toolName: SECRET,
  prompt: SECRET,
  agentId: SECRET,
  status: "delivered",
  how: "resumed",
  response: { action: "deny", reason: SECRET },
  by: { person: SECRET, client: SECRET, at: "2026-01-02T03:05:05.000Z" },
});
const endMs = Date.parse("2026-01-02T03:05:06.000Z");

test("[R-19] a span has times and outcomes, and no text of the request or answer", () => {
  const span = toPlacedSpan({ interaction: answered }, endMs);
  expect(span).toMatchObject({
    parentSpanId: undefined,
    startMs: Date.parse(answered.startedAt),
    endMs,
    events: [{ name: "asked" }, { name: "answered" }, { name: "delivered" }],
    attributes: { "holdpoint.interaction.delivery": "resumed" },
  });
  const text = JSON.stringify(span);
  expect(text).not.toContain(SECRET);
  expect(text).not.toContain("deny");
});

test("another gateway writes the same span, in the trace of the requester", () => {
  const traceparent = `00-${TRACE}-${PARENT}-01`;
  const [one, other] = [1, 2].map(() =>
    toPlacedSpan({ interaction: answered, traceparent }, endMs),
  );
  expect(one).toEqual(other);
  expect(one).toMatchObject({ traceId: TRACE, parentSpanId: PARENT });
  expect(traceparentOf("int_1", traceparent)).toBe(`00-${TRACE}-${one!.spanId}-01`);
});

test.each([
  `00-${"0".repeat(32)}-${PARENT}-01`,
  `00-${TRACE}-${"0".repeat(16)}-01`,
  `01-${TRACE}-${PARENT}-01`,
  `00-${TRACE}-${PARENT}-01-${SECRET}`,
  `00-${TRACE.toUpperCase()}-${PARENT}-01`,
  SECRET,
])("%s is not a valid trace, and the span begins a new one", (traceparent) => {
  const span = toPlacedSpan({ interaction: answered, traceparent }, endMs);
  expect(span).toEqual(toPlacedSpan({ interaction: answered }, endMs));
  expect(span.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(span.spanId).toMatch(/^[0-9a-f]{16}$/);
});

test("an interaction that can still be answered has not ended", () => {
  const statuses = ["pending", "answered", "expired", "orphaned"] as const;
  const over = statuses.filter((status) => isOver(sampleInteraction({ status })));
  expect(over).toEqual([]);
  expect(isOver(sampleInteraction({ status: "expired", onTimeout: "deny" }))).toBe(true);
  expect(isOver(sampleInteraction({ status: "withdrawn" }))).toBe(true);
});

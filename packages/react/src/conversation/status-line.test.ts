import type { Interaction, SessionStatus } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { anInteraction } from "../testing/interactions.ts";
import { toStatus } from "./status-line.tsx";

function statusOf(status: SessionStatus, ...holds: readonly Interaction["hold"][]) {
  const asked = holds.map((hold, index) => anInteraction({ interactionId: `i${index}`, hold }));
  const interactions = new Map(asked.map((one) => [one.interactionId, one]));
  return toStatus({ status, interactions }, false);
}

test("a parked session says what an answer will do", () => {
  expect(statusOf("parked", "parked")).toEqual({
    tone: "parked",
    words: "Parked: your answer starts the agent again",
  });
});

test("what the agent does not wait for any more is said as long as it takes an answer", () => {
  const late = anInteraction({ status: "orphaned" });
  const interactions = new Map([[late.interactionId, late]]);
  expect(toStatus({ status: "idle", interactions }, false)?.words).toBe(
    "1 thing waits for you, no hurry",
  );
});

test("what waits without holding the agent is said beside what the agent does, in no hurry", () => {
  expect(statusOf("idle")).toBeUndefined();
  expect(statusOf("idle", "queued")).toEqual({
    tone: "parked",
    words: "1 thing waits for you, no hurry",
  });
  expect(statusOf("running")).toEqual({ tone: "working", words: "Working…" });
  expect(statusOf("running", "queued", "queued")).toEqual({
    tone: "working",
    words: "Working, and 2 things wait for you",
  });
  expect(statusOf("waiting", "held", "queued")).toEqual({
    tone: "waiting",
    words: "Waiting for you: 2 things",
  });
});

import type { SessionStatus } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { anInteraction } from "../testing/interactions.ts";
import { toStatus } from "./status-line.tsx";

function statusOf(status: SessionStatus, ...holds: readonly ("held" | "queued")[]) {
  const asked = holds.map((hold, index) => anInteraction({ interactionId: `i${index}`, hold }));
  const interactions = new Map(asked.map((one) => [one.interactionId, one]));
  return toStatus({ status, interactions }, false);
}

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

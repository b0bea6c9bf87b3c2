import type { Interaction, SessionStatus } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { anInteraction } from "../testing/interactions.ts";
import { sayEnglish } from "../testing/say-english.ts";
import { toStatus } from "./status-line.tsx";

const HERE = { offline: false, mayAnswer: true };

function statusOf(status: SessionStatus, ...holds: readonly Interaction["hold"][]) {
  const asked = holds.map((hold, index) => anInteraction({ interactionId: `i${index}`, hold }));
  const interactions = new Map(asked.map((one) => [one.interactionId, one]));
  return toStatus({ status, interactions }, HERE, sayEnglish);
}

test("a parked session shows what an answer will do", () => {
  expect(statusOf("parked", "parked")).toEqual({
    tone: "parked",
    words: "Parked: your answer restarts the agent",
  });
});

test("a parked session that was answered shows that its agent starts again", () => {
  const answered = anInteraction({ status: "answered", hold: "parked" });
  const interactions = new Map([[answered.interactionId, answered]]);
  expect(toStatus({ status: "parked", interactions }, HERE, sayEnglish)).toEqual({
    tone: "working",
    words: "Restarting the agent…",
  });
});

test("a request without a waiting agent is shown as long as it accepts an answer", () => {
  const late = anInteraction({ status: "orphaned" });
  const interactions = new Map([[late.interactionId, late]]);
  expect(toStatus({ status: "idle", interactions }, HERE, sayEnglish)?.words).toBe(
    "1 request to answer",
  );
});

test("requests that do not hold the agent are shown with the agent's status", () => {
  expect(statusOf("idle")).toBeUndefined();
  expect(statusOf("idle", "queued")).toEqual({
    tone: "parked",
    words: "1 request to answer",
  });
  expect(statusOf("running")).toEqual({ tone: "working", words: "Working…" });
  expect(statusOf("running", "queued", "queued")).toEqual({
    tone: "working",
    words: "Working, 2 requests to answer",
  });
  expect(statusOf("waiting", "held", "queued")).toEqual({
    tone: "waiting",
    words: "Waiting for you: 2 requests",
  });
});

test("an unresponsive model is shown while its agent retries, unless a person is waited for", () => {
  const view = { interactions: new Map(), isRetrying: true } as const;
  expect(toStatus({ status: "running", ...view }, HERE, sayEnglish)?.words).toBe(
    "The model does not answer; trying again…",
  );
  const waiting = { status: "waiting", ...view } as const;
  expect(toStatus(waiting, HERE, sayEnglish)?.words).toBe("Waiting for you");
  const viewer = { offline: false, mayAnswer: false };
  expect(toStatus(waiting, viewer, sayEnglish)?.words).toBe("Waiting for an answer");
});

test("a request for other people is not shown as waiting for the viewer", () => {
  const responders = { circles: [{ who: [{ person: "moe" }] }] };
  const asked = anInteraction({ responders });
  const interactions = new Map([[asked.interactionId, asked]]);
  const wordsOf = (status: SessionStatus) =>
    toStatus({ status, interactions }, HERE, sayEnglish)?.words;
  expect(wordsOf("waiting")).toBe("Waiting for an answer");
  expect(wordsOf("parked")).toBe("Parked: an answer restarts the agent");
});

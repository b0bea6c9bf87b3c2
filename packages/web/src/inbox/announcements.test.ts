import type { Interaction } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { toAnnouncements, toTitle } from "./announcements.ts";

function waiting(interactionId: string, extra: Partial<Interaction> = {}): Interaction {
  return { interactionId, status: "pending", toolName: interactionId, ...extra } as Interaction;
}
const nothingShown = (): boolean => false;

describe("announcements", () => {
  test("what is new is said once", () => {
    const [a, b] = [waiting("a"), waiting("b")];
    expect(toAnnouncements([a], [a, b], nothingShown)).toEqual(["Waiting for you: Allow b?"]);
    expect(toAnnouncements([a, b], [a, b], nothingShown)).toEqual([]);
  });

  test("what was settled out of sight is said, a card on screen says it itself", () => {
    expect(toAnnouncements([waiting("a")], [], nothingShown)).toEqual(["Settled: Allow a?"]);
    expect(toAnnouncements([waiting("a")], [], (id) => id === "a")).toEqual([]);
  });

  test("late ones that appear are not announced as waiting", () => {
    expect(toAnnouncements([], [waiting("a", { status: "expired" })], nothingShown)).toEqual([]);
  });

  test("what hides or misleads is said, not obeyed", () => {
    const [spoken] = toAnnouncements([], [waiting("a", { prompt: "a\u202Eb" })], nothingShown);
    expect(spoken).toBe("Waiting for you: a[RLO]b");
  });

  test("several questions are named by the first", () => {
    const question = { id: "q", header: "", question: "Which?", multiSelect: false, options: [] };
    expect(toTitle(waiting("a", { questions: [question, question] }))).toBe("Which? (and 1 more)");
  });
});

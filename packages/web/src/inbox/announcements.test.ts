import type { Interaction } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { toAnnouncements } from "./announcements.ts";

function waiting(interactionId: string, extra: Partial<Interaction> = {}): Interaction {
  return {
    interactionId,
    status: "pending",
    kind: "approval",
    toolName: interactionId,
    ...extra,
  } as Interaction;
}
const nothingShown = (): boolean => false;

describe("announcements", () => {
  test("what is new is said once", () => {
    const [a, b] = [waiting("a"), waiting("b")];
    expect(toAnnouncements([a], [a, b], nothingShown)).toEqual(["Waiting for you: Use b?"]);
    expect(toAnnouncements([a, b], [a, b], nothingShown)).toEqual([]);
  });

  test("what was settled out of sight is said, a card on screen says it itself", () => {
    expect(toAnnouncements([waiting("a")], [], nothingShown)).toEqual(["Settled: Use a?"]);
    expect(toAnnouncements([waiting("a")], [], (id) => id === "a")).toEqual([]);
  });

  test("late ones that appear are not announced as waiting", () => {
    expect(toAnnouncements([], [waiting("a", { status: "expired" })], nothingShown)).toEqual([]);
  });

  test("what hides or misleads is said, not obeyed", () => {
    const [spoken] = toAnnouncements([], [waiting("a", { prompt: "a\u202Eb" })], nothingShown);
    expect(spoken).toBe("Waiting for you: a[RLO]b");
  });
});

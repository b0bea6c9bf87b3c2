import type { Interaction } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { sayEnglish } from "../testing/say-english.ts";
import { type AnnouncedOverview, toAnnouncements } from "./announcements.ts";

function waiting(interactionId: string, extra: Partial<Interaction> = {}): Interaction {
  return {
    interactionId,
    status: "pending",
    kind: "approval",
    toolName: interactionId,
    ...extra,
  } as Interaction;
}
function overview(...rows: Interaction[]): AnnouncedOverview {
  const pending = rows.filter(({ status }) => status === "pending").length;
  const sessions = { sessions: 1, waitingSessions: 1, workingSessions: 0 };
  return { waiting: rows, counts: { ...sessions, pending, late: 0 }, loads: 1 };
}
const nothingShown = (): boolean => false;

describe("announcements", () => {
  test("new requests are announced once", () => {
    const [a, b] = [waiting("a"), waiting("b")];
    expect(toAnnouncements(overview(a), overview(a, b), nothingShown, sayEnglish)).toEqual([
      "Waiting for you: Use b?",
    ]);
    expect(toAnnouncements(overview(a, b), overview(a, b), nothingShown, sayEnglish)).toEqual([]);
  });

  test("a settled request is announced, unless its card is on screen", () => {
    expect(toAnnouncements(overview(waiting("a")), overview(), nothingShown, sayEnglish)).toEqual([
      "Settled: Use a?",
    ]);
    expect(
      toAnnouncements(overview(waiting("a")), overview(), (id) => id === "a", sayEnglish),
    ).toEqual([]);
  });

  test("late requests that appear are not announced as waiting", () => {
    expect(
      toAnnouncements(
        overview(),
        overview(waiting("a", { status: "expired" })),
        nothingShown,
        sayEnglish,
      ),
    ).toEqual([]);
  });

  test("hidden and misleading characters are announced as marks", () => {
    const [spoken] = toAnnouncements(
      overview(),
      overview(waiting("a", { prompt: "a\u202Eb" })),
      nothingShown,
      sayEnglish,
    );
    expect(spoken).toBe("Waiting for you: a[RLO]b");
  });

  test("a request that left the inbox because of its age is not announced as settled", () => {
    const late = waiting("a", { status: "expired" });
    const left = { ...overview(), loads: 2 };
    expect(toAnnouncements(overview(late), left, nothingShown, sayEnglish)).toEqual([]);
  });

  test("rows that were only loaded are not announced, and a higher total is", () => {
    const before = overview(waiting("a"));
    const after = { ...overview(waiting("b"), waiting("c")), loads: 2 };
    expect(
      toAnnouncements(before, { ...after, counts: before.counts }, nothingShown, sayEnglish),
    ).toEqual([]);
    expect(toAnnouncements(before, after, nothingShown, sayEnglish)).toEqual([
      "Waiting for you: 2 in total",
    ]);
  });
});

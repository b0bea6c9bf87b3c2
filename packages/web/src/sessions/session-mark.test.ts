import { expect, test } from "vitest";

import { toSessionMark } from "./session-mark.ts";

test("a session whose agent waits looks as if it does, one that went on does not", () => {
  expect(toSessionMark({ status: "waiting" }, true)).toEqual({
    dot: "waiting",
    words: "waiting for an answer",
  });
  expect(toSessionMark({ status: "idle" }, false)).toEqual({ dot: "idle", words: "idle" });
  const later = "with a request to answer";
  expect(toSessionMark({ status: "idle" }, true)).toEqual({
    dot: "parked",
    words: `idle, ${later}`,
  });
  expect(toSessionMark({ status: "running" }, true)).toEqual({
    dot: "running",
    words: `working, ${later}`,
  });
});

test("a session whose program has ended says so, and nothing else of its last turn", () => {
  const ended = { endedAt: "2026-01-01T00:00:00.000Z", hasFailed: true } as const;
  expect(toSessionMark({ status: "idle", ...ended }, false)).toEqual({
    dot: "idle",
    words: "ended",
  });
  expect(toSessionMark({ status: "idle", ...ended }, true).dot).toBe("parked");
});

test("a session whose last turn failed says so, until something else is the matter", () => {
  const failed = { hasFailed: true } as const;
  expect(toSessionMark({ status: "idle", ...failed }, false)).toEqual({
    dot: "failed",
    words: "failed",
  });
  expect(toSessionMark({ status: "idle", ...failed }, true).dot).toBe("parked");
  expect(toSessionMark({ status: "running", ...failed }, false).dot).toBe("running");
});

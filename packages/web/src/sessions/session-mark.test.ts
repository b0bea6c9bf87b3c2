import { expect, test } from "vitest";

import { toSessionMark } from "./session-mark.ts";

test("a session with a waiting agent looks so, and one whose agent continued does not", () => {
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

test("a session whose program has ended is marked as ended, whatever its last turn", () => {
  const ended = { endedAt: "2026-01-01T00:00:00.000Z", hasFailed: true } as const;
  expect(toSessionMark({ status: "idle", ...ended }, false)).toEqual({
    dot: "idle",
    words: "ended",
  });
  expect(toSessionMark({ status: "idle", ...ended }, true).dot).toBe("parked");
});

test("a session with a failed last turn shows that, until another state is more important", () => {
  const failed = { hasFailed: true } as const;
  expect(toSessionMark({ status: "idle", ...failed }, false)).toEqual({
    dot: "failed",
    words: "failed",
  });
  expect(toSessionMark({ status: "idle", ...failed }, true).dot).toBe("parked");
  expect(toSessionMark({ status: "running", ...failed }, false).dot).toBe("running");
});

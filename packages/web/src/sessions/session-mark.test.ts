import { expect, test } from "vitest";

import { toSessionMark } from "./session-mark.ts";

test("a session whose agent waits looks as if it does, one that went on does not", () => {
  expect(toSessionMark("waiting", true)).toEqual({ dot: "waiting", words: "waiting for you" });
  expect(toSessionMark("idle", false)).toEqual({ dot: "idle", words: "idle" });
  const later = "something waits for you in no hurry";
  expect(toSessionMark("idle", true)).toEqual({ dot: "parked", words: `idle, ${later}` });
  expect(toSessionMark("running", true)).toEqual({ dot: "running", words: `working, ${later}` });
});

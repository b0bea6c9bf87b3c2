import { expect, test } from "vitest";

import { closeDraft, createFoldedLog, openDraft } from "./folded-log.ts";

test("a draft without changes closes to its base", () => {
  const base = createFoldedLog(new Map());
  expect(closeDraft(openDraft(base))).toBe(base);
});

test.each(["grantUses", "parkedCalls", "usedAgain"] as const)(
  "a draft in which only %s has changed closes to a new log",
  (name) => {
    const draft = openDraft(createFoldedLog(new Map()));
    draft[name].set("call_1", "ses_1");
    expect(closeDraft(draft)[name].get("call_1")).toBe("ses_1");
  },
);

test("a draft in which only an interaction waits for its tool call closes to a new log", () => {
  const draft = openDraft(createFoldedLog(new Map()));
  draft.beforeCall.set("call_1", ["int_1"]);
  expect(closeDraft(draft).beforeCall.get("call_1")).toEqual(["int_1"]);
});

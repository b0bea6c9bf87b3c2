import type { Interaction } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { lateResponseMessage } from "./late-response-message.ts";

const base: Interaction = {
  interactionId: "int_1",
  sessionId: "ses_1",
  turnId: "trn_1",
  toolCallId: "t1",
  toolName: "Bash",
  kind: "approval",
  status: "answered",
  attempt: 1,
  approval: {
    input: { command: "rm -rf build" },
    cwd: "/w",
    display: {},
    digest: "d",
    scopes: ["once"],
    scopeText: {},
    editable: true,
  },
  presentation: "tool",
  startedAt: "2026-01-01T00:00:00.000Z",
  onTimeout: "wait",
  hold: "held",
};

test("an approval says what was approved and that nothing has run", () => {
  const text = lateResponseMessage({ ...base, response: { action: "approve" } });
  expect(text).toContain("tool Bash");
  expect(text).toContain('"command": "rm -rf build"');
  expect(text).toContain("approved");
  expect(text).toContain("Nothing has run because of this approval.");
  expect(text).toContain("already ended");
});

test("an edited approval quotes the edit beside the original", () => {
  const response = { action: "approve" as const, editedInput: { command: "rm -rf dist" } };
  const text = lateResponseMessage({ ...base, response });
  expect(text).toContain('"command": "rm -rf build"');
  expect(text).toContain('"command": "rm -rf dist"');
});

test("[R-5] a denial never reads like an approval", () => {
  const response = { action: "deny" as const, reason: "Not on a Friday." };
  const text = lateResponseMessage({ ...base, response });
  expect(text).toContain("denied");
  expect(text).toContain("Reason: Not on a Friday.");
  expect(text).not.toContain("approved");
});

const questions = [
  {
    id: "q1",
    header: "Color",
    question: "Which color?",
    multiSelect: true,
    options: [
      { id: "r", label: "Red, warm" },
      { id: "b", label: "Blue" },
    ],
  },
];

test("answers quote the question, the labels and the person's own words", () => {
  const { approval: _, ...rest } = base;
  const answers = [{ questionId: "q1", selected: ["r", "b"], other: "and teal" }];
  const text = lateResponseMessage({
    ...rest,
    kind: "question",
    questions,
    response: { action: "submit", answers },
  });
  expect(text).toContain("Question: Which color?");
  expect(text).toContain('Answer: "Red, warm", "Blue", in their own words: and teal');
});

test("a reply and a skip say so", () => {
  const { approval: _, ...rest } = base;
  const asked = { ...rest, kind: "question" as const, questions };
  expect(
    lateResponseMessage({ ...asked, response: { action: "submit", reply: "You choose." } }),
  ).toContain("Reply to all of it: You choose.");
  expect(lateResponseMessage({ ...asked, response: { action: "cancel" } })).toContain(
    "chose not to answer",
  );
});

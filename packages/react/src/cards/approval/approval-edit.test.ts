import { describe, expect, test } from "vitest";

import { parseEdit, toEditSubject, toEditText, toUnedited } from "./approval-edit.ts";
import { toEditDifference } from "./edit-difference.ts";

const subjectOf = (input: Record<string, unknown>) => toEditSubject(input, false);

describe("the edited text of an approval", () => {
  test.each([
    ["command", { command: "a\nb", timeout: 5 }],
    ["plan", { plan: "# One\n\n- two" }],
    ["content", { file_path: "/a", content: 'say "hi"\n' }],
    ["new_string", { file_path: "/a", old_string: "x", new_string: "y\n\tz" }],
    ["text", { text: "Dear Ana" }],
    ["replace", { path: "/a", find: "x", replace: "y" }],
  ])("%s is plain text, without escapes", (field, input: Record<string, unknown>) => {
    const subject = subjectOf(input);
    expect(subject.field).toBe(field);
    expect(toEditText(input, subject)).toBe(input[field]);
    expect(parseEdit(input, subject, "other")).toEqual({
      status: "changed",
      input: { ...input, [field]: "other" },
    });
    expect(toEditDifference(input, { ...input, [field]: "other" })).toEqual({
      before: `${String(input[field])}\n`,
      after: "other\n",
    });
  });

  test.each([{ url: "https://example.org", depth: 2 }, { content: 7 }, { content: "a\r\nb" }])(
    "%j is JSON",
    (input) => {
      const subject = subjectOf(input);
      expect(subject.field).toBeUndefined();
      expect(JSON.parse(toEditText(input, subject))).toEqual(input);
    },
  );

  test.each([
    [{ file_path: "/a", new_string: "y" }, { file_path: "/a" }],
    [{ command: "ls", description: "Lists", timeout: 5 }, { timeout: 5 }],
    [{ command: "ls", description: "Lists" }, undefined],
    [{ content: "x", description: "Ours" }, { description: "Ours" }],
    [{ command: "ls", description: 5 }, { description: 5 }],
    [{ url: "https://example.org", depth: 2 }, undefined],
  ])("[R-6] besides the edited field of %j runs %j", (input, unedited) => {
    expect(toUnedited(input, subjectOf(input).field)).toEqual(unedited);
  });

  test("can be the whole input, and then the difference is of the whole input", () => {
    const input = { command: "ls", timeout: 5 };
    expect(toEditSubject(input, true).field).toBeUndefined();
    const { before, after } = toEditDifference(input, { command: "ls", timeout: 6 });
    expect([JSON.parse(before), JSON.parse(after)]).toEqual([input, { ...input, timeout: 6 }]);
  });
});

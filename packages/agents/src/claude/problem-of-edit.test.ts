import { expect, test } from "vitest";

import { createTerminalAdapter } from "../terminal/terminal-adapter.ts";
import { problemOfEdit } from "./problem-of-edit.ts";

const input = { command: "rm -rf build" };

test.each([
  ["without fields", {}],
  ["with no field but __proto__", JSON.parse('{"__proto__":{"command":"ls"}}') as object],
  ["with a field that the runtime keeps for itself", { ...input, _simulatedSedEdit: {} }],
])("[R-6] an edit %s is refused, since Claude would not run it", (_, edited) => {
  expect(problemOfEdit(edited as Record<string, unknown>, input)).toMatch(/^Claude would/u);
});

test.each([
  [{ command: "" }],
  [{ command: null }],
  [{ command: " " }],
  [{ options: {} }],
  [{ list: [] }],
])("[R-6] Claude runs %j unchanged", (edited) => {
  expect(problemOfEdit(edited, input)).toBeUndefined();
});

test("an empty input that was shown is not an edit", () => {
  expect(problemOfEdit({}, {})).toBeUndefined();
});

test("[R-6] a terminal's runtime accepts the same edits", () => {
  const adapter = createTerminalAdapter("claude");
  const edit = { toolName: "mcp__files__delete", input: { ids: [1] }, askedBy: "tool" } as const;
  expect(adapter.problemOfEdit?.({ ...edit, editedInput: {} })).toContain("would run the original");
  expect(adapter.problemOfEdit?.({ ...edit, editedInput: { ids: [] } })).toBeUndefined();
});

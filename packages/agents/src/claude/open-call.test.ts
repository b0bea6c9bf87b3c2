import { describe, expect, test } from "vitest";

import { findOpenCall, findResultOf, type TranscriptEntry } from "./open-call.ts";

const call = (id: string, more: object = {}): object => ({
  type: "tool_use",
  id,
  name: "Bash",
  input: { command: id },
  ...more,
});
/** One line for one block, as the runtime writes them. */
const said = (block: object, message: object = {}, more: object = {}): TranscriptEntry => ({
  type: "assistant",
  uuid: "u",
  isSidechain: false,
  message: { id: "msg_1", stop_reason: "tool_use", content: [block], ...message },
  ...more,
});
const user = (content: unknown = "go"): TranscriptEntry => ({ type: "user", message: { content } });
const result = (id: string): TranscriptEntry => user([{ type: "tool_result", tool_use_id: id }]);
const mark = (id: string): TranscriptEntry => ({
  type: "attachment",
  attachment: { type: "hook_deferred_tool", toolUseID: id },
});
const note: TranscriptEntry = { type: "last-prompt", lastPrompt: "go" };
const text = { type: "text", text: "Let me." };

describe("a record of a conversation", () => {
  test.each<[string, TranscriptEntry[], boolean]>([
    ["its call", [user(), said(call("a"))], false],
    ["its call and notes", [user(), said(text), said(call("a")), note, note], false],
    ["a call that is marked", [user(), said(call("a")), note, mark("a"), note], true],
    [
      "a call after others",
      [user(), said(call("b"), { id: "msg_0" }), result("b"), said(call("a"))],
      false,
    ],
  ])("has the call open if it ends with %s", (_, entries, isMarked) => {
    expect(findOpenCall(entries, "a")).toMatchObject({
      toolCallId: "a",
      toolName: "Bash",
      input: { command: "a" },
      isMarked,
    });
  });

  test.each<[string, TranscriptEntry[]]>([
    ["is empty", []],
    ["has no call", [user(), said(text)]],
    ["has its result", [user(), said(call("a")), result("a")]],
    ["continues with a message", [user(), said(call("a")), user()]],
    ["continues with an answer", [user(), said(call("a")), said(text, { id: "msg_2" })]],
    ["ends with another call", [user(), said(call("b"))]],
    [
      "ends with another call, which follows its result",
      [user(), said(call("a"), { id: "msg_0" }), result("a"), said(call("b"))],
    ],
    ["has two calls in a message", [user(), said(call("a")), said(call("b"))]],
    ["has two calls in a line", [user(), said(text, { content: [call("a"), call("b")] })]],
    ["has a message without an end", [user(), said(call("a"), { stop_reason: null })]],
    ["is of a sub-agent", [user(), said(call("a"), {}, { isSidechain: true })]],
    [
      "ends with a sub-agent",
      [user(), said(call("a")), said(text, { id: "m" }, { isSidechain: true })],
    ],
    ["marks another call", [user(), said(call("a")), mark("b")]],
    ["has a call without a name", [user(), said(call("a", { name: 1 }))]],
    ["has an invalid message", [user(), { type: "assistant", message: "a" }]],
    ["has invalid content", [user(), said(call("a"), { content: "a" })]],
  ])("[R-4] [R-6] has no call open if it %s", (_, entries) => {
    expect(findOpenCall(entries, "a")).toBeUndefined();
  });
});

test("[R-15] a result is not matched to a later call with the same id", () => {
  const ended = { type: "tool_result", tool_use_id: "a", content: "ran" };
  const before = [user(), said(call("a")), { type: "user", message: { content: [ended] } }];
  expect(findResultOf(before, "a")).toBe("success");
  expect(findResultOf([...before, said(call("a"))], "a")).toBeUndefined();
});

test.each<[string, object, "error" | "success" | undefined]>([
  ["the result of the call", { tool_use_id: "a" }, "success"],
  [
    "a result that is an error, which may be the runtime's own",
    { tool_use_id: "a", is_error: true },
    "error",
  ],
  ["the result of another call", { tool_use_id: "b" }, undefined],
])("a record shows how a call ended: %s", (_, result, expected) => {
  const content = [{ type: "tool_result", content: "ran", ...result }];
  const entries = [{ type: "user", message: { role: "user", content } }];
  expect(findResultOf(entries, "a")).toBe(expected);
});

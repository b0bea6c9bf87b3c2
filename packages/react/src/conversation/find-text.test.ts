import type { ToolCallItem, ViewItem } from "@holdpoint/client";
import type { Interaction } from "@holdpoint/protocol";
import { sampleInteraction } from "@holdpoint/protocol/testing";
import { expect, test } from "vitest";

import { callsAround, findItems } from "./find-text.ts";

const AT = "2026-01-01T00:00:00.000Z";
const call = (key: string, over: Partial<ToolCallItem> = {}): ToolCallItem => ({
  type: "tool_call",
  key,
  toolCallId: key,
  toolName: "Bash",
  interactionIds: [],
  ...over,
});
const said = (key: string, text: string, parentToolCallId?: string): ViewItem => ({
  type: "assistant_message",
  key,
  text,
  channel: "text",
  streaming: false,
  ...(parentToolCallId !== undefined && { parentToolCallId }),
});
const asked = sampleInteraction({
  toolCallId: "asks",
  toolName: "deploy",
  kind: "form",
  prompt: "Where should it go?",
  startedAt: AT,
});

const items: ViewItem[] = [
  { type: "user_message", key: "u1", at: AT, content: "Größe of the INVOICE", origin: "person" },
  call("c1", {
    input: { command: "grep -r invoice src", deep: { list: ["needle"] } },
    result: { content: "src/invoice.ts: 3 places", isError: false },
  }),
  said("a1", "It is in three places."),
  call("asks", { interactionIds: ["int_1"] }),
];
const find = (text: string, interactions: ReadonlyMap<string, Interaction> = new Map()) =>
  findItems({ items, interactions }, text);

test("messages, calls, their inputs and results are searched, in any case", () => {
  expect(find("invoice")).toEqual(["u1", "c1"]);
  expect(find("PLACES")).toEqual(["c1", "a1"]);
  expect(find("needle")).toEqual(["c1"]);
  expect(find("gro\u0308ße")).toEqual(["u1"]);
  expect(find(".*")).toEqual([]);
  expect(find("  ")).toEqual([]);
});

test("questions and answers are searched in their current state", () => {
  expect(find("where should", new Map([["int_1", asked]]))).toEqual(["asks"]);
  expect(find("hamburg", new Map([["int_1", asked]]))).toEqual([]);
  const answered = {
    ...asked,
    response: { action: "submit", values: { place: "Hamburg" } },
  } as const;
  expect(find("hamburg", new Map([["int_1", answered]]))).toEqual(["asks"]);
});

test("the calls around an item are listed, the innermost first", () => {
  const nested = [
    call("outer"),
    call("inner", { parentToolCallId: "outer" }),
    said("deep", "x", "inner"),
    said("top", "y"),
  ];
  expect(callsAround({ items: nested }, "deep")).toEqual(["inner", "outer"]);
  expect(callsAround({ items: nested }, "top")).toEqual([]);
  expect(callsAround({ items: nested }, "unknown")).toEqual([]);
});

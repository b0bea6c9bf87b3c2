import type { ToolCallItem } from "@holdpoint/client";
import { expect, test } from "vitest";

import { anInteraction } from "../testing/interactions.ts";
import { sayEnglish } from "../testing/say-english.ts";
import { translateTo } from "../words/translate.ts";
import type { Say } from "../words/use-words.ts";
import { toToolFacts as toFacts } from "./tool-facts.ts";
import type { ToolPhase } from "./tool-phase.ts";

const START = 1_700_000_000_000;
function toToolFacts(
  item: ToolCallItem,
  interactions: Parameters<typeof toFacts>[1],
  phase: ToolPhase,
  say: Say = sayEnglish,
) {
  return toFacts(item, interactions, { phase, say });
}
const at = (ms: number): string => new Date(START + ms).toISOString();

function aCall(endMs: number, more: Partial<ToolCallItem> = {}): ToolCallItem {
  return {
    type: "tool_call",
    key: "call",
    toolCallId: "call",
    toolName: "Bash",
    input: { command: "npm test" },
    startedAt: at(0),
    endedAt: at(endMs),
    result: { content: "ok", isError: false },
    interactionIds: [],
    ...more,
  };
}

test.each([
  [40, undefined],
  [240, "0.2 s"],
  [2449, "2.4 s"],
  [12_400, "12 s"],
  [95_000, "1 min 35 s"],
  [7_500_000, "2 h 5 min"],
])("a command that ran for %i ms shows %j", (ms, took) => {
  expect(toToolFacts(aCall(ms), [], "done").took).toBe(took);
});

test("the wait for a person is not part of the run", () => {
  const asked = [anInteraction({ kind: "approval", status: "delivered" })];
  expect(toToolFacts(aCall(65_000, { answeredAt: at(60_000) }), asked, "done").took).toBe("5.0 s");
  expect(toToolFacts(aCall(65_000), asked, "done").took).toBeUndefined();
  const parked = asked.map((interaction) => ({ ...interaction, holdChanges: 1 }));
  expect(
    toToolFacts(aCall(65_000, { answeredAt: at(60_000) }), parked, "done").took,
  ).toBeUndefined();
});

test("a failed command shows its exit code, and nothing else does", () => {
  const failed = { content: "Exit code 2\nmake: ***", isError: true };
  expect(toToolFacts(aCall(0, { result: failed }), [], "failed").exit).toBe("exit 2");
  expect(toToolFacts(aCall(900, { result: failed }), [], "denied")).toEqual({});
  expect(toToolFacts(aCall(0, { result: { ...failed, isError: false } }), [], "done")).toEqual({});
  expect(
    toToolFacts(aCall(0, { result: failed, input: { file_path: "a" } }), [], "failed"),
  ).toEqual({});
});

test("numbers are written in the format of the language", () => {
  const inGerman: Say = translateTo({ tag: "de", locale: "de" });
  expect(toToolFacts(aCall(2449), [], "done", inGerman)).toEqual({ took: "2,4 s" });
});

import type { ToolCallItem, ViewItem } from "@holdpoint/client";
import type { Interaction } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { anInteraction } from "../testing/interactions.ts";
import { toTranscriptRows } from "./transcript-rows.ts";

const none: ReadonlyMap<string, Interaction> = new Map();
const byDefault = { isOpen: () => undefined };

function call(toolCallId: string, extra: Partial<ToolCallItem> = {}): ToolCallItem {
  return {
    type: "tool_call",
    key: toolCallId,
    toolCallId,
    toolName: "Bash",
    interactionIds: [],
    ...extra,
  };
}

function said(key: string, parentToolCallId?: string): ViewItem {
  const item = {
    type: "assistant_message",
    key,
    text: key,
    channel: "text",
    streaming: false,
  } as const;
  return parentToolCallId === undefined ? item : { ...item, parentToolCallId };
}

function shape(
  items: readonly ViewItem[],
  interactions = none,
  options: Parameters<typeof toTranscriptRows>[1] = byDefault,
) {
  return toTranscriptRows({ items, interactions }, options).map(
    (row) => `${"  ".repeat(row.depth)}${row.key}`,
  );
}

describe("transcript rows", () => {
  test.each<[string, Partial<Interaction>, string[]]>([
    ["waits", { status: "pending", hold: "parked" }, ["end"]],
    ["was answered", { status: "answered", hold: "parked" }, []],
    ["was withdrawn", { status: "withdrawn" }, []],
  ])("a turn is parked as long as its request %s", (_, over, rows) => {
    const asked = anInteraction(over);
    const end = { type: "turn_end", key: "end", at: asked.startedAt, reason: "parked" } as const;
    expect(shape([end], new Map([[asked.interactionId, asked]]))).toEqual(rows);
  });

  test("the work of interleaved sub-agents is below the call that started each", () => {
    const items = [
      call("a"),
      call("b"),
      said("a1", "a"),
      said("b1", "b"),
      said("a2", "a"),
      said("end"),
    ];
    expect(shape(items)).toEqual(["a", "  a1", "  a2", "b", "  b1", "end"]);
  });

  test("a finished sub-agent is closed and shows how many steps it took", () => {
    const items = [call("a", { result: { content: "", isError: false } }), said("a1", "a")];
    const rows = toTranscriptRows({ items, interactions: none }, byDefault);
    expect(rows).toMatchObject([{ key: "a", steps: { count: 1, open: false } }]);
  });

  test("a person can open a finished sub-agent and close one that works", () => {
    const finished = [call("a", { result: { content: "", isError: false } }), said("a1", "a")];
    expect(shape(finished, none, { isOpen: () => true })).toEqual(["a", "  a1"]);
    expect(shape([call("a"), said("a1", "a")], none, { isOpen: () => false })).toEqual(["a"]);
  });

  test("a closed sub-agent opens when a request in it is open", () => {
    const items = [call("a"), call("a1", { parentToolCallId: "a", interactionIds: ["i"] })];
    const waiting = new Map([["i", { status: "pending" } as Interaction]]);
    expect(shape(items, waiting, { isOpen: () => false })).toEqual(["a", "  a1"]);
  });

  test("the work of a sub-agent is kept when its call is not loaded", () => {
    expect(shape([said("x", "gone"), said("end")])).toEqual(["  x", "end"]);
  });

  test("a questionnaire replaces its call, unless the call fails, and the same id in another turn is another call", () => {
    const asked = { presentation: "questionnaire", turnId: "t1", toolCallId: "a" };
    const interactions = new Map([["i", asked as Interaction]]);
    const card = { type: "interaction", key: "i", interactionId: "i" } as const;
    const items = (isError: boolean) => [
      call("a", { turnId: "t1", result: { content: "", isError } }),
      card,
      call("a", { key: "later", turnId: "t2" }),
    ];
    expect(shape(items(false), interactions)).toEqual(["i", "later"]);
    expect(shape(items(true), interactions)).toEqual(["a", "i", "later"]);
  });

  test("[R-5] calls behind one without a result are found, separately for each sub-agent", () => {
    const of = (turnId: string, parentToolCallId?: string): Partial<ToolCallItem> => ({
      turnId,
      ...(parentToolCallId !== undefined && { parentToolCallId }),
    });
    const done = { result: { content: "", isError: false } };
    const items = [
      call("cut off", of("t1")),
      call("done", { ...of("t2"), ...done }),
      call("first", of("t2")),
      call("second", of("t2")),
      call("works", of("t2")),
      call("its first", of("t2", "works")),
      call("its second", of("t2", "works")),
      call("last", of("t2")),
    ];
    const rows = toTranscriptRows({ items, interactions: none }, byDefault);
    const behind = rows.filter(({ isBehind }) => isBehind).map(({ key }) => key);
    expect(behind).toEqual(["second", "its second", "last"]);
  });

  test("consecutive plain tool lines are joined, and cards are not", () => {
    const items = [call("a"), call("b"), call("c", { interactionIds: ["i"] }), call("d")];
    const cards = new Map([["i", { status: "answered" } as Interaction]]);
    const rows = toTranscriptRows({ items, interactions: cards }, byDefault);
    expect(rows.map((row) => row.joined)).toEqual([false, true, false, false]);
  });

  test("the end of a failed turn is hidden after its error, and shown without one", () => {
    const end = { type: "turn_end", key: "end", at: "", reason: "error" } as const;
    const error = {
      type: "error",
      key: "error",
      at: "",
      code: "AGENT_FAILED",
      message: "",
    } as const;
    expect(shape([error, end])).toEqual(["error"]);
    expect(shape([said("x"), end])).toEqual(["x", "end"]);
  });

  test("a call that names itself as its parent is drawn once", () => {
    expect(shape([call("a", { parentToolCallId: "a" })])).toEqual(["  a"]);
  });

  test("a tool call id that a later turn uses again has a separate sub-agent", () => {
    const items = [
      call("a", { key: "1/a" }),
      said("x", "a"),
      call("a", { key: "2/a" }),
      said("y", "a"),
    ];
    expect(shape(items)).toEqual(["1/a", "  x", "2/a", "  y"]);
  });
});

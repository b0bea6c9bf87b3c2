import type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import { describe, expect, test } from "vitest";

import { EMPTY_MAPPER_STATE, type AgentOutput, type MapperState } from "./mapper-state.ts";
import { mapMessage, settleComplaint } from "./messages.ts";
import { closeOpenBlocks } from "./stream-events.ts";

const message = (fields: Record<string, unknown>) =>
  ({ parent_tool_use_id: null, ...fields }) as unknown as SDKMessage;
const stream = (event: Record<string, unknown>, parent: string | null = null) =>
  message({ type: "stream_event", event, parent_tool_use_id: parent });
const start = (id: string, parent: string | null = null) =>
  stream({ type: "message_start", message: { id } }, parent);
const open = (index: number, block: object, parent: string | null = null) =>
  stream({ type: "content_block_start", index, content_block: block }, parent);
const piece = (index: number, delta: object, parent: string | null = null) =>
  stream({ type: "content_block_delta", index, delta }, parent);
const close = (index: number) => stream({ type: "content_block_stop", index });
const whole = (id: string, block: object, parent: string | null = null, fields: object = {}) =>
  message({
    type: "assistant",
    message: { id, content: [block] },
    parent_tool_use_id: parent,
    ...fields,
  });
const result = (id: string, content: unknown, isError?: boolean) =>
  message({
    type: "user",
    message: { content: [{ type: "tool_result", tool_use_id: id, content, is_error: isError }] },
  });
const text = (words: string) => ({ type: "text", text: words });
const call = (id: string, input: unknown = {}) => ({ type: "tool_use", id, name: "Bash", input });

function run(messages: SDKMessage[]): { state: MapperState; output: AgentOutput[] } {
  let state = EMPTY_MAPPER_STATE;
  const output: AgentOutput[] = [];
  for (const next of messages) {
    const mapped = mapMessage(state, next);
    state = mapped.state;
    output.push(...mapped.output);
  }
  return { state, output };
}

describe("the messages of a turn", () => {
  test("[R-5] only a call that the runtime refused itself is logged as refused", () => {
    const refusal = { type: "system", subtype: "permission_denied", tool_use_id: "t1" };
    const { output } = run([message(refusal), result("t1", "No.", true), result("t2", "x", true)]);
    expect(output).toEqual([
      { type: "tool_result", toolCallId: "t1", content: "No.", isError: true, refused: true },
      { type: "tool_result", toolCallId: "t2", content: "x", isError: true },
    ]);
  });

  test("[R-8] become blocks whose pieces carry the same id, in order", () => {
    const { output } = run([
      start("m1"),
      open(0, { type: "thinking", thinking: "" }),
      piece(0, { type: "thinking_delta", thinking: "Hm" }),
      piece(0, { type: "signature_delta", signature: "x" }),
      whole("m1", { type: "thinking", thinking: "Hm" }),
      close(0),
      open(1, text("")),
      piece(1, { type: "text_delta", text: "Hel" }),
      piece(1, { type: "text_delta", text: "lo" }),
      whole("m1", text("Hello")),
      close(1),
      open(2, call("t1")),
      piece(2, { type: "input_json_delta", partial_json: '{"a"' }),
      whole("m1", call("t1", { a: 1 })),
      close(2),
      result("t1", "done"),
      start("m2"),
      open(0, text("")),
      piece(0, { type: "text_delta", text: "Bye" }),
      whole("m2", text("Bye")),
    ]);
    expect(output).toEqual([
      { type: "text_delta", messageId: "m1.0", channel: "thinking", text: "Hm" },
      { type: "assistant_message", messageId: "m1.0", channel: "thinking", text: "Hm" },
      { type: "text_delta", messageId: "m1.1", channel: "text", text: "Hel" },
      { type: "text_delta", messageId: "m1.1", channel: "text", text: "lo" },
      { type: "assistant_message", messageId: "m1.1", channel: "text", text: "Hello" },
      { type: "tool_call_delta", toolCallId: "t1", toolName: "Bash", text: '{"a"' },
      { type: "tool_call", toolCallId: "t1", toolName: "Bash", input: { a: 1 } },
      { type: "tool_result", toolCallId: "t1", content: "done", isError: false },
      { type: "text_delta", messageId: "m2.0", channel: "text", text: "Bye" },
      { type: "assistant_message", messageId: "m2.0", channel: "text", text: "Bye" },
    ]);
  });

  test("are numbered by their order without a stream", () => {
    const { output } = run([
      whole("m1", text("One"), "outer"),
      whole("m1", call("t1"), "outer"),
      whole("m1", text("Two"), "outer"),
    ]);
    expect(output).toMatchObject([
      { messageId: "m1.0", parentToolCallId: "outer" },
      { toolCallId: "t1", parentToolCallId: "outer" },
      { messageId: "m1.2", parentToolCallId: "outer" },
    ]);
  });

  test("are kept apart for sub-agents that stream at the same time", () => {
    const { output } = run([
      start("m1", "a"),
      start("m2", "b"),
      open(0, text(""), "a"),
      open(0, text(""), "b"),
      piece(0, { type: "text_delta", text: "A" }, "a"),
      piece(0, { type: "text_delta", text: "B" }, "b"),
      whole("m2", text("B"), "b"),
      whole("m1", text("A"), "a"),
    ]);
    expect(output).toMatchObject([
      { messageId: "m1.0", text: "A", parentToolCallId: "a" },
      { messageId: "m2.0", text: "B", parentToolCallId: "b" },
      { messageId: "m2.0", text: "B", parentToolCallId: "b" },
      { messageId: "m1.0", text: "A", parentToolCallId: "a" },
    ]);
  });

  test("[R-8] give one result for each call", () => {
    const { output } = run([whole("m1", call("t1")), result("t1", "a"), result("t1", "b")]);
    expect(output.map(({ type }) => type)).toEqual(["tool_call", "tool_result"]);
  });

  test("[R-8] [R-15] give every call, even with an id that the model's service uses again", () => {
    const refusal = { type: "system", subtype: "permission_denied", tool_use_id: "c" };
    const { output } = run([
      whole("m1", call("c")),
      message(refusal),
      result("c", "No.", true),
      start("m2"),
      open(0, call("c")),
      piece(0, { type: "input_json_delta", partial_json: "{" }),
      whole("m2", call("c")),
      whole("m3", call("c")),
      result("c", "failed", true),
      result("c", "ran"),
      whole("m4", call("c~2")),
      result("c~2", "other"),
    ]);
    expect(output).toMatchObject([
      { type: "tool_call", toolCallId: "c" },
      { toolCallId: "c", content: "No.", refused: true },
      { type: "tool_call_delta", toolCallId: "c~2" },
      { type: "tool_call", toolCallId: "c~2" },
      { type: "tool_call", toolCallId: "c~3" },
      { toolCallId: "c~2", content: "failed", isError: true },
      { toolCallId: "c~3", content: "ran" },
      { type: "tool_call", toolCallId: "c~2~1" },
      { toolCallId: "c~2~1", content: "other" },
    ]);
    expect(output[5]).not.toHaveProperty("refused");
  });

  test("[R-15] keep calls of sub-agents apart that share an id with each other and with their parent", () => {
    const agent = (id: string) => ({ type: "tool_use", id, name: "Agent", input: {} });
    const from = (parent: string, block: object) =>
      message({ type: "user", message: { content: [block] }, parent_tool_use_id: parent });
    const ended = (content: string) => ({ type: "tool_result", tool_use_id: "c", content });
    const { output } = run([
      whole("m1", agent("c")),
      whole("m1", agent("d")),
      whole("m2", call("c"), "c"),
      whole("m3", call("c"), "d"),
      from("d", ended("of d")),
      from("c", ended("of c")),
      result("c", "agent"),
    ]);
    expect(output).toMatchObject([
      { toolCallId: "c", toolName: "Agent" },
      { toolCallId: "d", toolName: "Agent" },
      { toolCallId: "c~2", parentToolCallId: "c" },
      { toolCallId: "c~3", parentToolCallId: "d" },
      { toolCallId: "c~3", content: "of d" },
      { toolCallId: "c~2", content: "of c" },
      { toolCallId: "c", content: "agent" },
    ]);
  });

  test("accept a result of the service's tools, and an input that is not an object", () => {
    const { output } = run([
      whole("m1", { type: "server_tool_use", id: "s1", name: "web_search", input: "x" }),
      whole("m1", { type: "web_search_tool_result", tool_use_id: "s1", content: [text("found")] }),
    ]);
    expect(output).toEqual([
      { type: "tool_call", toolCallId: "s1", toolName: "web_search", input: {} },
      { type: "tool_result", toolCallId: "s1", content: "found", isError: false },
    ]);
  });

  test("are ignored if the runtime describes itself in them, except the output of a command", () => {
    const { output } = run([
      message({ type: "system", subtype: "init" }),
      message({ type: "system", subtype: "local_command_output", uuid: "u1", content: "Cost: 0" }),
      message({ type: "user", isReplay: true, message: { content: "hi" } }),
      message({ type: "user", message: { content: "[Request interrupted by user]" } }),
      message({ type: "a type of the future" }),
    ]);
    expect(output).toMatchObject([{ type: "assistant_message", messageId: "u1", text: "Cost: 0" }]);
  });
});

describe("an unfinished message of a turn", () => {
  test("is logged as far as it came, without complete blocks", () => {
    const { state } = run([
      start("m1"),
      open(0, text("")),
      piece(0, { type: "text_delta", text: "Whole" }),
      whole("m1", text("Whole")),
      close(0),
      open(1, text("")),
      piece(1, { type: "text_delta", text: "Cut o" }),
    ]);
    expect(closeOpenBlocks(state).output).toEqual([
      { type: "assistant_message", messageId: "m1.1", channel: "text", text: "Cut o" },
    ]);
    const { state: done } = run([
      start("m1"),
      open(0, text("")),
      piece(0, { type: "text_delta", text: "Whole" }),
      whole("m1", text("Whole")),
    ]);
    expect(closeOpenBlocks(done).output).toEqual([]);
  });
});

describe("an error that the runtime sends as a model's message", () => {
  const failed = whole("m1", text("API Error"), null, { error: "overloaded", uuid: "u1" });

  test("is kept for the end of the turn", () => {
    const { state, output } = run([failed]);
    expect(output).toEqual([]);
    expect(state.complaint).toEqual({ kind: "overloaded", text: "API Error", messageId: "u1" });
  });

  test("is logged in its place when the turn continues", () => {
    const { output } = run([failed, whole("m2", text("Here I am"))]);
    expect(output).toMatchObject([{ messageId: "u1", text: "API Error" }, { text: "Here I am" }]);
    const { state } = run([failed]);
    expect(settleComplaint(state)).toMatchObject({ output: [{ text: "API Error" }] });
  });
});

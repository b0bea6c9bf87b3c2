import type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import type { AgentEvent } from "@holdpoint/engine";
import { expect, test } from "vitest";

import { isAlreadyLogged, stateAfter } from "./already-logged.ts";
import { mapMessage } from "./messages.ts";

const said = (messageId: string, text: string): AgentEvent => ({
  type: "assistant_message",
  messageId,
  text,
  channel: "text",
});
const message = (content: object[]): SDKMessage =>
  ({
    type: "assistant",
    uuid: "u",
    session_id: "s",
    parent_tool_use_id: null,
    message: { id: "m", content },
  }) as unknown as SDKMessage;
const text = (words: string) => ({ type: "text", text: words });
const call = { type: "tool_use", id: "t1", name: "Bash", input: {} };

const told: AgentEvent[] = [
  said("m.0", "one"),
  said("m.2", "three"),
  said("other", "no block"),
  { type: "tool_call", toolCallId: "t1", toolName: "Bash", input: {} },
  { type: "tool_result", toolCallId: "t0", content: "", isError: false },
];

test("[R-8] a message that comes again is recognised by its texts", () => {
  expect(isAlreadyLogged(message([text("one")]), told)).toBe(true);
  expect(isAlreadyLogged(message([text("two")]), told)).toBe(false);
  expect(isAlreadyLogged(message([text("one")]), [said("another.0", "one")])).toBe(false);
  expect(isAlreadyLogged(message([call]), told)).toBe(false);
  expect(isAlreadyLogged({ ...message([text("one")]), type: "user" } as SDKMessage, told)).toBe(
    false,
  );
});

test("[R-8] a new block gets an unused id, and no call is logged twice", () => {
  const state = stateAfter(told);
  expect(mapMessage(state, message([text("four")])).output).toEqual([said("m.3", "four")]);
  expect(mapMessage(state, message([call])).output).toEqual([]);
  const ended = [...told, { type: "tool_result", toolCallId: "t1", content: "", isError: false }];
  const next = mapMessage(stateAfter(ended as AgentEvent[]), message([call])).output;
  expect(next).toMatchObject([{ type: "tool_call", toolCallId: "t1~2" }]);
});

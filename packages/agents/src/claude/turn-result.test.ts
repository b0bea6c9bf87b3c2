import type { SDKResultMessage } from "@anthropic-ai/claude-agent-sdk";
import { describe, expect, test } from "vitest";

import { AgentLostError } from "../host/hosted-process.ts";
import { TranscriptChangedError } from "./transcript.ts";
import { crashed, isConversationGone, toTurnResult } from "./turn-result.ts";

const message = (fields: Record<string, unknown>) =>
  ({
    type: "result",
    subtype: "success",
    is_error: false,
    result: "ok",
    ...fields,
  }) as unknown as SDKResultMessage;
const apiError = (status: number | null) =>
  message({
    is_error: true,
    api_error_status: status,
    terminal_reason: "api_error",
    result: "API Error",
  });
const complaint = (kind: string) => ({ kind, text: "API Error: words", messageId: "m" });

describe("the result of a turn", () => {
  test("is done, or stopped when it was aborted", () => {
    expect(toTurnResult(message({}))).toEqual({ reason: "done" });
    for (const terminal of ["aborted_streaming", "aborted_tools"]) {
      const fields = { subtype: "error_during_execution", is_error: true, errors: [] };
      expect(toTurnResult(message({ ...fields, terminal_reason: terminal }))).toEqual({
        reason: "stopped",
      });
    }
  });

  test("gives the record as the reason when a call cannot be resumed", () => {
    const gone = { reason: "error", code: "AGENT_CANNOT_RESUME" };
    const fields = { is_error: true, terminal_reason: "tool_deferred_unavailable" };
    expect(toTurnResult(message(fields))).toMatchObject(gone);
    expect(crashed(new TranscriptChangedError())).toMatchObject(gone);
  });

  test("gives the reason when the agent was lost", () => {
    expect(crashed(new AgentLostError("version"))).toMatchObject({ code: "AGENT_OTHER_VERSION" });
    expect(crashed(new AgentLostError("replaced"))).toMatchObject({ code: "AGENT_CRASHED" });
    expect(crashed(new Error("gone"))).toMatchObject({ code: "AGENT_CRASHED", message: "gone" });
  });

  test.each([
    [401, "authentication_failed", "AGENT_UNAUTHENTICATED"],
    [403, undefined, "AGENT_UNAUTHENTICATED"],
    [429, "rate_limit", "AGENT_RATE_LIMITED"],
    [529, "server_error", "AGENT_OVERLOADED"],
    [503, "server_error", "AGENT_OVERLOADED"],
    [500, "server_error", "AGENT_FAILED"],
    [400, "billing_error", "AGENT_NO_CREDIT"],
    [null, "billing_error", "AGENT_NO_CREDIT"],
    [400, "invalid_request", "AGENT_FAILED"],
    [null, "server_error", "AGENT_UNREACHABLE"],
    [null, "authentication_failed", "AGENT_UNAUTHENTICATED"],
    [null, "rate_limit", "AGENT_RATE_LIMITED"],
    [null, "overloaded", "AGENT_OVERLOADED"],
    [null, "a kind of the future", "AGENT_FAILED"],
    [null, undefined, "AGENT_FAILED"],
  ])("has, for status %s and kind %s, the code %s", (status, kind, code) => {
    const result = toTurnResult(apiError(status), kind === undefined ? undefined : complaint(kind));
    const text = kind === undefined ? "API Error" : "API Error: words";
    expect(result).toEqual({ reason: "error", code, message: text });
  });

  test("gives the end of a limit, and no other time", () => {
    const at = "2026-01-01T12:00:00.000Z";
    expect(toTurnResult(apiError(429), undefined, at)).toMatchObject({ retryAt: at });
    expect(toTurnResult(apiError(529), undefined, at)).not.toHaveProperty("retryAt");
  });

  test("has the runtime's message, without its diagnostics", () => {
    const errors = ["[ede_diagnostic] x", "Reached maximum number of turns (1)"];
    const result = toTurnResult(message({ subtype: "error_max_turns", is_error: true, errors }));
    expect(result).toEqual({ reason: "error", code: "AGENT_FAILED", message: errors[1] });
    const mute = message({ subtype: "error_during_execution", is_error: true, errors: [] });
    expect(toTurnResult(mute)).toMatchObject({ message: expect.stringMatching(/\S/u) });
  });
});

test("a conversation counts as gone only when the runtime reports that", () => {
  const errors = ["No conversation found with session ID: x"];
  const fields = { subtype: "error_during_execution", is_error: true };
  expect(isConversationGone(message({ ...fields, errors }))).toBe(true);
  expect(isConversationGone(message({ ...fields, errors: ["Something else"] }))).toBe(false);
  expect(isConversationGone(message({}))).toBe(false);
});

import type { ToolCallItem } from "@holdpoint/client";
import { toTerminalResult, type Interaction } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { anApprovalInteraction } from "../testing/interactions.ts";
import { toToolPhase } from "./tool-phase.ts";

const call: ToolCallItem = {
  type: "tool_call",
  key: "call",
  turnId: "turn-1",
  toolCallId: "call-1",
  toolName: "Bash",
  interactionIds: [],
};
const refused: ToolCallItem = { ...call, result: { content: "No.", isError: true } };
const ran: ToolCallItem = { ...call, result: { content: "", isError: false } };

const past = { turnId: undefined, isBehind: false };

function phaseOf(item: ToolCallItem, over: Partial<Interaction>): string {
  return toToolPhase(item, [anApprovalInteraction({}, over)], past);
}

test("[R-5] a call is not shown as running while it is written, asked about, or behind another one", () => {
  const now = { turnId: "turn-1", isBehind: false };
  const behind = { ...now, isBehind: true };
  const asked = [anApprovalInteraction()];
  const allowed = anApprovalInteraction(
    {},
    { status: "delivered", response: { action: "approve" }, how: "resumed" },
  );
  const written = { ...call, input: { command: "npm test" } };
  expect(toToolPhase({ ...call, inputText: '{"comm' }, [], now)).toBe("asked");
  expect(toToolPhase(written, asked, now)).toBe("asked");
  expect(toToolPhase(written, [], behind)).toBe("asked");
  expect(toToolPhase(written, [], now)).toBe("running");
  expect(toToolPhase(written, [allowed], behind)).toBe("running");
  expect(toToolPhase(written, [], past)).toBe("unfinished");
});

test("[R-5] a call that no one allowed in time is not shown as run", () => {
  for (const status of ["expired", "orphaned", "withdrawn"] as const) {
    expect(phaseOf(refused, { status })).toBe("not_run");
    expect(phaseOf(call, { status })).toBe("not_run");
  }
  const response = { action: "approve" } as const;
  const late = { status: "delivered", response, how: "user_message" } as const;
  expect(phaseOf(refused, late)).toBe("not_run");
  expect(phaseOf(ran, { ...late, how: "resumed" })).toBe("done");
  expect(phaseOf(refused, { ...late, how: "resumed" })).toBe("failed");
  // Its runtime may allow it in the meantime, for example when the permission mode changes.
  expect(phaseOf(ran, { status: "withdrawn" })).toBe("done");
});

test("[R-5] a call that a rule denied is shown neither as run nor as failed", () => {
  expect(toToolPhase({ ...refused, isDenied: true }, [], past)).toBe("denied");
});

test("[R-5] a call that was decided in its terminal is not shown as run", () => {
  const closedReason = "Answered or closed in the terminal.";
  const told = { ...call, result: { content: closedReason, isError: false } };
  const withdrawn = { askedBy: "tool", status: "withdrawn", closedReason } as const;
  expect(phaseOf(told, withdrawn)).toBe("unknown");
  // An approval in the terminal: the call may still have been stopped there.
  const allowed = {
    ...call,
    result: { content: JSON.stringify(toTerminalResult("allow")), isError: false },
  };
  const response = { action: "approve" } as const;
  const delivered = { status: "delivered", response, how: "resumed" } as const;
  expect(phaseOf(allowed, { ...delivered, askedBy: "tool" })).toBe("unknown");
  expect(phaseOf(allowed, delivered)).toBe("done");
  // A tool that continued without an answer has run.
  expect(phaseOf(ran, withdrawn)).toBe("done");
});

test("[R-5] a call whose answer its agent does not have yet is not shown as run", () => {
  const response = { action: "approve" } as const;
  const answered = { status: "answered", response } as const;
  expect(phaseOf(call, { ...answered, hold: "parked" })).toBe("asked");
  expect(phaseOf(call, { ...answered, hold: "parked", response: { action: "deny" } })).toBe(
    "denied",
  );
  const closedAt = "2026-01-01T00:00:00.000Z";
  expect(phaseOf(refused, { ...answered, closedAt })).toBe("not_run");
});

test("[R-4] a call with an unknown outcome is shown neither as run nor as not run", () => {
  const unknown = { status: "delivered", response: { action: "approve" }, how: "unknown" } as const;
  expect(phaseOf(call, unknown)).toBe("unknown");
  expect(phaseOf(ran, unknown)).toBe("done");
});

test("a request that a tool makes while it runs does not decide whether it ran, with a prompt or without", () => {
  expect(phaseOf(refused, { status: "expired", askedBy: "tool" })).toBe("failed");
  expect(phaseOf(refused, { status: "expired", prompt: "Delete a file?" })).toBe("not_run");
});

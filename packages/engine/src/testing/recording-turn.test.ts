import { expect, test } from "vitest";

import type { HoldRequest } from "../ports/agent-adapter.ts";
import { createRecordingTurn } from "./recording-turn.ts";

const approval: HoldRequest = {
  kind: "approval",
  toolCallId: "call_1",
  toolName: "Edit",
  input: { path: "a" },
  display: {},
  scopes: ["once"],
  scopeText: {},
  editable: true,
};
const never = new AbortController().signal;

test("everything is recorded in the order in which it happened", async () => {
  const turn = createRecordingTurn({
    script: () => ({ outcome: "answered", response: { action: "approve" } }),
  });
  turn.delta({ type: "text_delta", messageId: "msg_1", channel: "text", text: "Hi" });
  await turn.emit({ type: "tool_result", toolCallId: "call_1", content: "", isError: false });
  const result = await turn.hold(approval, { signal: never });
  if (result.outcome === "answered") await result.delivered();
  await turn.saveState("kept");
  expect(turn.entries.map((entry) => entry.kind)).toEqual([
    "delta",
    "event",
    "hold",
    "held",
    "delivered",
    "state",
  ]);
  expect(turn.state).toBe("kept");
});

test("an approval runs the person's edit, or else the requested input", async () => {
  const edits = [undefined, { path: "b" }];
  const turn = createRecordingTurn({
    script: () => {
      const editedInput = edits.shift();
      const response = { action: "approve" as const, ...(editedInput && { editedInput }) };
      return { outcome: "answered", response };
    },
  });
  expect(await turn.hold(approval, { signal: never })).toMatchObject({ input: { path: "a" } });
  expect(await turn.hold(approval, { signal: never })).toMatchObject({ input: { path: "b" } });
});

test("a hold is withdrawn when its call or the turn is stopped, and at once after that", async () => {
  const turn = createRecordingTurn();
  const call = new AbortController();
  const first = turn.hold(approval, { signal: call.signal });
  const second = turn.hold(approval, { signal: never });
  call.abort();
  expect(await first).toMatchObject({ outcome: "withdrawn" });
  turn.stop();
  expect(await second).toMatchObject({ outcome: "withdrawn" });
  expect(await turn.hold(approval, { signal: never })).toMatchObject({ outcome: "withdrawn" });
});

test("entries after the end are kept separately", () => {
  const turn = createRecordingTurn();
  turn.end();
  turn.delta({ type: "text_delta", messageId: "msg_1", channel: "text", text: "late" });
  expect(turn.entries).toEqual([]);
  expect(turn.lateEntries).toHaveLength(1);
});

import {
  type EncodedBatch,
  type EncodedInteraction,
  type EncodedSession,
  STATUS_NUMBER,
} from "@holdpoint/store-sqlite/rows";
import { expect, test } from "vitest";

import { WrittenRows } from "./written-rows.ts";

const { pending, answered } = STATUS_NUMBER;

test("[R-1] an interaction is kept from its request until it is no longer pending, as last written", () => {
  const rows = new WrittenRows();
  rows.note(asked("a"), 1);
  expect(rows.pending("a")).toMatchObject({ status: pending, json: "{}", request: "asked" });
  rows.note(changed("a", { json: '{"notes":1}', hold: "parked" }), 2);
  expect(rows.pending("a")).toMatchObject({
    json: '{"notes":1}',
    hold: "parked",
    request: "asked",
  });
  rows.note(changed("a", { status: answered }), 3);
  expect(rows.pending("a")).toBeUndefined();
  // Pending again, for example after its answer was undone: its request is in the database.
  rows.note(changed("a", {}), 4);
  expect(rows.pending("a")).toBeUndefined();
});

test("a session is kept from its first write on, with the end of its log", () => {
  const rows = new WrittenRows();
  rows.note(batchOf({}), 1);
  // It was written before: its row in the database is complete.
  expect(rows.session("session")).toBeUndefined();
  rows.note(batchOf({ session: sessionOf("One") }), 2);
  rows.note(batchOf({}), 5);
  expect(rows.session("session")).toEqual({ json: "One", last_seq: 5 });
  rows.note(batchOf({ session: sessionOf("Two") }), 6);
  expect(rows.session("session")).toEqual({ json: "Two", last_seq: 6 });
});

test("rows that may not have been written, and rows of deleted sessions, are not kept", () => {
  const rows = new WrittenRows();
  rows.note({ ...asked("a"), session: sessionOf("One") }, 1);
  rows.note({ ...asked("b"), session: sessionOf("Two"), sessionKey: "other" }, 1);
  rows.note(asked("c"), 2);
  rows.forget(changed("a", { status: answered }));
  expect(rows.pending("a")).toBeUndefined();
  expect(rows.session("session")).toBeUndefined();
  expect(rows.pending("c")).toBeDefined();
  rows.forgetSession("session");
  expect(rows.pending("c")).toBeUndefined();
  expect(rows.pending("b")).toBeDefined();
  rows.forgetSession("other");
  expect(rows.session("other")).toBeUndefined();
});

function asked(key: string): EncodedBatch {
  return batchOf({ events: ["asked"], interactions: [writeOf(key, { requestIndex: 0 })] });
}

function changed(key: string, change: Partial<EncodedInteraction>): EncodedBatch {
  return batchOf({ interactions: [writeOf(key, change)] });
}

function batchOf(parts: Partial<EncodedBatch>): EncodedBatch {
  return {
    sessionKey: "session",
    chainKey: "session",
    events: [],
    session: undefined,
    interactions: [],
    enqueue: [],
    dequeue: [],
    takenBackAtMs: undefined,
    grants: [],
    ...parts,
  };
}

function sessionOf(json: string): EncodedSession {
  return { updatedAtMs: 0, isBusy: 0, json };
}

function writeOf(key: string, change: Partial<EncodedInteraction>): EncodedInteraction {
  return {
    interactionId: key,
    key,
    toolCallKey: "call",
    isOfGatewayTool: 0,
    takesLateAnswer: 1,
    startedAtMs: 0,
    expectedStatus: undefined,
    expectedHold: null,
    expectedStage: null,
    status: pending,
    stage: pending,
    hold: "held",
    dueAtMs: null,
    json: "{}",
    answer: undefined,
    requestIndex: undefined,
    request: null,
    ...change,
  };
}

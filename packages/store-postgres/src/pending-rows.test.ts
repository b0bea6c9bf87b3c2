import {
  type EncodedBatch,
  type EncodedInteraction,
  STATUS_NUMBER,
} from "@holdpoint/store-sqlite/rows";
import { expect, test } from "vitest";

import { PendingRows } from "./pending-rows.ts";

const { pending, answered } = STATUS_NUMBER;

/** A batch that asks for `key`, with a request of so many units. */
function asked(key: string, units = 10): EncodedBatch {
  return batchOf([writeOf(key, { status: pending, requestIndex: 0 })], ["r".repeat(units)]);
}

function changed(key: string, change: Partial<EncodedInteraction>): EncodedBatch {
  return batchOf([writeOf(key, change)], []);
}

test("a row is there from its request until it is pending no more, as it was written last", () => {
  const rows = new PendingRows();
  rows.note(asked("a"));
  expect(rows.get("a")).toMatchObject({ status: pending, json: "{}", request: "rrrrrrrrrr" });
  rows.note(changed("a", { status: pending, json: '{"notes":1}', hold: "parked" }));
  expect(rows.get("a")).toMatchObject({
    json: '{"notes":1}',
    hold: "parked",
    request: "rrrrrrrrrr",
  });
  rows.note(changed("a", { status: answered }));
  expect(rows.get("a")).toBeUndefined();
  // Pending again, such as after its answer was taken back: its request is in the database.
  rows.note(changed("a", { status: pending }));
  expect(rows.get("a")).toBeUndefined();
});

test("nothing is kept of what is not known to be written, nor of a session that is deleted", () => {
  const rows = new PendingRows();
  for (const key of ["a", "b", "c"]) rows.note(asked(key));
  rows.forget(changed("a", { status: answered }));
  expect(rows.get("a")).toBeUndefined();
  rows.note({ ...asked("c"), sessionKey: "other" });
  rows.forgetSession("session");
  expect(rows.get("b")).toBeUndefined();
  expect(rows.get("c")).toBeDefined();
});

test("the oldest go when there are very many, or very long ones", () => {
  const rows = new PendingRows();
  for (let index = 0; index < 1025; index += 1) rows.note(asked(`row-${index}`));
  expect(rows.get("row-0")).toBeUndefined();
  expect(rows.get("row-1")).toBeDefined();
  rows.note(asked("long", 2 * 1024 * 1024 - 14));
  expect(rows.get("row-1024")).toBeDefined();
  expect(rows.get("row-1023")).toBeUndefined();
  rows.note(asked("longer", 2 * 1024 * 1024 + 1));
  expect(rows.get("longer")).toBeUndefined();
  expect(rows.get("long")).toBeDefined();
});

function batchOf(interactions: EncodedInteraction[], events: string[]): EncodedBatch {
  return {
    sessionKey: "session",
    chainKey: "session",
    events,
    session: undefined,
    interactions,
    enqueue: [],
    dequeue: [],
    takenBackAtMs: undefined,
    grants: [],
  };
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

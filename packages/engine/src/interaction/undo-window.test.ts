import { expect, test } from "vitest";

import { SimulatedClock } from "../testing/simulated-clock.ts";
import { type Undoable, UndoWindows } from "./undo-window.ts";

const WINDOW_MS = 5000;

function open(changes: Partial<Undoable> = {}) {
  const clock = new SimulatedClock();
  const closed: string[] = [];
  const windows = new UndoWindows({ clock, onClosed: (sessionId) => closed.push(sessionId) });
  const undoable: Undoable = {
    interactionId: "int_1",
    sessionId: "ses_1",
    before: "pending",
    isParked: true,
    messageId: undefined,
    grantId: undefined,
    ...changes,
  };
  windows.open(undoable, WINDOW_MS);
  return { clock, closed, windows };
}

test("[R-4] no turn begins while a response is being taken back, however slow the store", async () => {
  const { clock, closed, windows } = open();
  const written = Promise.withResolvers<string>();
  const taken = windows.take("int_1", () => written.promise);
  await clock.advance(10 * WINDOW_MS);
  expect(closed).toEqual([]);
  expect(windows.hasOf("ses_1")).toBe(true);
  written.resolve("reopened");
  expect(await taken).toBe("reopened");
  expect(closed).toEqual(["ses_1"]);
});

test("[R-4] a response that is being taken back has no timer, and closes its window once", async () => {
  const { clock, closed, windows } = open();
  const written = Promise.withResolvers<string>();
  const taken = windows.take("int_1", () => written.promise);
  expect(clock.timerCount).toBe(0);
  written.resolve("reopened");
  await taken;
  await clock.advance(10 * WINDOW_MS);
  expect(closed).toEqual(["ses_1"]);
});

test("[R-1] two requests to take a response back share one write", async () => {
  const { windows } = open();
  let writes = 0;
  const undo = async () => {
    writes += 1;
    return writes;
  };
  expect(await Promise.all([windows.take("int_1", undo), windows.take("int_1", undo)])).toEqual([
    1, 1,
  ]);
  expect(writes).toBe(1);
});

test("[R-1] a response is taken back once, even by a request that comes while the first is written", async () => {
  const { windows } = open();
  const written = Promise.withResolvers<string>();
  const first = windows.take("int_1", () => written.promise);
  const second = windows.take("int_1", () => Promise.reject(new Error("It was written twice.")));
  written.resolve("reopened");
  expect(await Promise.all([first, second])).toEqual(["reopened", "reopened"]);
  expect(windows.take("int_1", async () => "late")).toBeUndefined();
});

test("[R-4] a window that ends runs its session, and no other", async () => {
  const { clock, closed, windows } = open();
  expect([windows.hasOf("ses_1"), windows.hasOf("ses_2")]).toEqual([true, false]);
  await clock.advance(WINDOW_MS);
  expect(closed).toEqual(["ses_1"]);
  expect(windows.size).toBe(0);
});

test.each([
  [true, "ses_1", true],
  [true, "ses_2", false],
  [false, "ses_1", false],
])(
  "[R-15] whether an agent starts again (%s) applies only to its session (%s: %s)",
  (isParked, sessionId, expected) => {
    expect(open({ isParked }).windows.hasParked(sessionId)).toBe(expected);
  },
);

test("[R-4] a stopping gateway leaves each delivery to the next one", async () => {
  const { clock, closed, windows } = open();
  windows.stop();
  await clock.advance(10 * WINDOW_MS);
  expect([closed, clock.timerCount]).toEqual([[], 0]);
});

test("[R-4] a gateway that stops while a response is being taken back delivers nothing", async () => {
  const { closed, windows } = open();
  const written = Promise.withResolvers<string>();
  const taken = windows.take("int_1", () => written.promise);
  windows.stop();
  written.resolve("reopened");
  await taken;
  expect(closed).toEqual([]);
});

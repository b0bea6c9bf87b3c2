// @vitest-environment happy-dom
import { act, cleanup, render, screen } from "@testing-library/react";
import { useState, type ReactNode } from "react";
import { afterEach, expect, test } from "vitest";

import { UiClockProvider } from "../../parts/ui-clock.tsx";
import { createSimulatedUiClock } from "../../testing/simulated-ui-clock.ts";
import { UndoOffer } from "./undo-offer.tsx";

afterEach(cleanup);

const ANSWERED_MS = Date.parse("2026-11-24T12:00:00Z");
const UNDO_MS = 10_000;
/** So that the test ends where the offer does not. */
const MOST_ENDS = 5;

/** Renders again each time the offer ends, like a list that removes the offer slowly. */
function SlowList(): ReactNode {
  const [ends, setEnds] = useState(0);
  return (
    <>
      <p>ends: {ends}</p>
      <UndoOffer
        answeredAt={new Date(ANSWERED_MS).toISOString()}
        undoUntil={new Date(ANSWERED_MS + UNDO_MS).toISOString()}
        what="Denied: make."
        onUndo={() => Promise.resolve()}
        onOver={() => setEnds((before) => Math.min(before + 1, MOST_ENDS))}
      />
    </>
  );
}

test("an expired offer is announced once, however often its row is rendered", () => {
  const clock = createSimulatedUiClock(ANSWERED_MS);
  render(
    <UiClockProvider clock={clock}>
      <SlowList />
    </UiClockProvider>,
  );
  expect(screen.getByRole("note").textContent).toBe(
    "Denied: make. Sending to the agent in 10 s.UndoZ",
  );
  act(() => clock.advance(UNDO_MS));
  expect(screen.queryByRole("button")).toBeNull();
  expect(screen.getByText("ends: 1")).toBeTruthy();
});

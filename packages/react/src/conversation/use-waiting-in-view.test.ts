// @vitest-environment happy-dom
import { cleanup, fireEvent, renderHook, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";

import type { TranscriptVirtualizer } from "./use-transcript-virtualizer.ts";
import { useFirstWaitingInView } from "./use-waiting-in-view.ts";

afterEach(() => {
  cleanup();
  document.body.replaceChildren();
});

const VIEWPORT_PX = 600;

interface Shown {
  /** The ids of the pending interactions, from top to bottom, and how high their rows are. */
  readonly pending: Readonly<Record<string, number>>;
  readonly above?: number;
}

/** Rows of given heights, of which the view shows as much as a small window does. */
function renderTranscript() {
  const log = document.createElement("div");
  document.body.append(log);
  const moves: string[] = [];
  const rows = { starts: [0], total: 0, offset: 0 };
  const virtualizer = {
    scrollElement: log,
    scrollRect: { height: VIEWPORT_PX },
    get scrollOffset() {
      return rows.offset;
    },
    get measurementsCache() {
      return rows.starts.map((start) => ({ start }));
    },
    getTotalSize: () => rows.total,
    isAtEnd: (threshold = 80) => rows.total - VIEWPORT_PX - rows.offset <= threshold,
    scrollToEnd: () => {
      moves.push("end");
      rows.offset = Math.max(0, rows.total - VIEWPORT_PX);
    },
    scrollToIndex: (index: number) => {
      moves.push(`row ${index}`);
      rows.offset = rows.starts[index] ?? 0;
    },
  } as unknown as TranscriptVirtualizer["virtualizer"];
  const hook = renderHook(
    ({ pending }: Shown) =>
      useFirstWaitingInView(
        Object.keys(pending).map((interactionId, at) => ({ interactionId, index: at + 1 })),
        virtualizer,
      ),
    { initialProps: { pending: {} } },
  );
  return {
    log,
    /** How it was scrolled since. */
    moves: () => moves.splice(0),
    show: (shown: Shown) => {
      const heights = [shown.above ?? 1000, ...Object.values(shown.pending)];
      rows.starts = heights.map((_, at) => sum(heights.slice(0, at)));
      rows.total = sum(heights);
      log.innerHTML = Object.keys(shown.pending)
        .map((id) => `<article data-interaction-id="${id}"><button>${id}</button></article>`)
        .join("");
      hook.rerender(shown);
    },
    button: (id: string) => within(log).getByRole("button", { name: id }),
    leave: () => hook.result.current(),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

test("a pending card comes into view from its beginning, or whole if there is room", () => {
  const { show, moves } = renderTranscript();
  show({ pending: { tall: 900 } });
  expect(moves()).toEqual(["row 1"]);
  show({ pending: {}, above: 3000 });
  moves();
  show({ pending: { short: 200 }, above: 3000 });
  expect(moves()).toEqual(["end"]);
});

test("the next card comes into view once the pressed one is answered", () => {
  const { show, moves, button } = renderTranscript();
  show({ pending: { first: 900 } });
  moves();
  fireEvent.pointerDown(button("first"));
  show({ pending: { first: 1200 } });
  expect(moves(), "nothing moves under a press").toEqual([]);
  // After the answer it is a single line. The agent's reply comes before the next card.
  show({ pending: {}, above: 1800 });
  expect(moves()).toEqual(["end"]);
  show({ pending: { second: 300 }, above: 2900 });
  expect(moves()).toEqual(["end"]);
});

test("the next card comes into view, even if it comes with the answer", () => {
  const { show, moves, button } = renderTranscript();
  show({ pending: { first: 900 } });
  fireEvent.keyDown(button("first"), { key: "a" });
  moves();
  show({ pending: { second: 900 }, above: 2000 });
  expect(moves()).toEqual(["end", "row 1"]);
});

test("a person who has scrolled since the press stays in place", () => {
  const { show, moves, button, log } = renderTranscript();
  show({ pending: { first: 900 } });
  fireEvent.pointerDown(button("first"));
  fireEvent.wheel(log);
  moves();
  show({ pending: {}, above: 1800 });
  show({ pending: { second: 900 }, above: 2900 });
  expect(moves()).toEqual([]);
});

test("a person who went elsewhere by a button or the search stays there", () => {
  const { show, moves, button, leave } = renderTranscript();
  show({ pending: { first: 900 } });
  fireEvent.pointerDown(button("first"));
  leave();
  moves();
  show({ pending: { second: 900 }, above: 2900 });
  expect(moves()).toEqual([]);
});

test("one answer of several moves nothing, since the others are still pending", () => {
  const { show, moves, button } = renderTranscript();
  show({ pending: { first: 900, second: 300 } });
  fireEvent.pointerDown(button("second"));
  moves();
  show({ pending: { first: 900 }, above: 1000 });
  show({ pending: { first: 900, third: 900 } });
  expect(moves()).toEqual([]);
});

// @vitest-environment happy-dom
import { cleanup, fireEvent, renderHook } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";

import { useReveal, type RevealOptions } from "./use-reveal.ts";

afterEach(cleanup);

interface Shown {
  readonly key?: string;
  readonly keys: readonly string[];
}

function renderReveal() {
  const moves: string[] = [];
  const log = document.createElement("div");
  const virtualizer = {
    scrollElement: log,
    scrollToIndex: (index: number) => moves.push(`row ${index}`),
  };
  const hook = renderHook<void, Shown>(
    ({ key, keys }) =>
      useReveal(key, {
        rows: keys.map((one) => ({ key: one })),
        view: { items: [], interactions: new Map() },
        virtualizer,
        toggleSteps: () => undefined,
        onFound: (found: string | undefined) => moves.push(`found ${found}`),
        onReveal: () => moves.push("left"),
      } as unknown as RevealOptions),
    { initialProps: { keys: ["a", "b"] } },
  );
  return { log, show: hook.rerender, moves: () => moves.splice(0) };
}

test("a found item comes into view, and stays there while rows are added before it", () => {
  const { show, moves } = renderReveal();
  moves();
  show({ key: "b", keys: ["a", "b"] });
  expect(moves()).toEqual(["found b", "left", "row 1"]);
  show({ key: "b", keys: ["a", "b", "c"] });
  expect(moves()).toEqual([]);
  show({ key: "b", keys: ["y", "z", "a", "b", "c"] });
  expect(moves()).toEqual(["left", "row 3"]);
});

test("a person who scrolls away is not moved back, until another item is found", () => {
  const { show, moves, log } = renderReveal();
  show({ key: "b", keys: ["a", "b"] });
  moves();
  fireEvent.wheel(log);
  show({ key: "b", keys: ["z", "a", "b"] });
  expect(moves()).toEqual([]);
  show({ key: "a", keys: ["z", "a", "b"] });
  expect(moves()).toEqual(["found a", "left", "row 1"]);
});
